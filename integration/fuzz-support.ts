import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { makeFolder } from './support.js';

const PROGRAM = join(import.meta.dirname, 'programs', 'fuzz-exports.mjs');

interface FuzzReport {
  /** Everything that was called. */
  readonly names: readonly string[];
  /** Number of calls by error code, or `returned`. */
  readonly counts: Readonly<Record<string, number>>;
  readonly failures: readonly { readonly call: string; readonly error: string }[];
}

/** Calls all exports of the package with wrong values, in a process with a small heap. */
export async function fuzzExports(seed: number, calls: number): Promise<FuzzReport> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--no-warnings', '--max-old-space-size=768', PROGRAM, String(seed), String(calls)],
    {
      cwd: makeFolder(),
      env: { ...process.env, GEMINI_CLI_PATH: '/nowhere/gemini' },
      maxBuffer: 256 * 1024 * 1024,
    },
  );
  return JSON.parse(stdout);
}
