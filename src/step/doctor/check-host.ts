import { accessSync, constants, existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname } from 'node:path';
import { pathInstallPaths } from '../../agents/gemini/install-paths.js';
import type { Environment } from '../../base/process/environment.js';
import type { ResolvedConfig } from '../../config/resolve-config.js';
import { type Finding, ok, problem } from './finding.js';

export function checkSandbox(sandbox: ResolvedConfig['sandbox'], env: Environment): Finding {
  const check = 'sandbox';
  if (sandbox === false) return ok(check, 'Off');
  const wanted = typeof sandbox === 'string' ? [sandbox] : ['docker', 'podman', 'sandbox-exec'];
  const found = wanted.find((name) =>
    pathInstallPaths(env).some((folder) => existsSync(`${folder}/${name}`)),
  );
  if (found !== undefined) return ok(check, found);
  const fix = `Install ${wanted.join(' or ')}, or turn sandbox off.`;
  return problem(check, `No ${wanted.join(', ')} on PATH`, fix, 'SANDBOX');
}

/** Checks that the folders every step needs can be written. */
export function checkFolders(geminiHome: string): Finding[] {
  return [
    checkWritable('temp folder', tmpdir(), 'Set TMPDIR to a writable folder.'),
    checkWritable(
      'home of the CLI',
      nearestExisting(geminiHome),
      'Make it writable, or set GEMINI_CLI_HOME: without session files no step can be recovered.',
    ),
  ];
}

function checkWritable(check: string, folder: string, fix: string): Finding {
  try {
    accessSync(folder, constants.W_OK);
    return ok(check, folder);
  } catch {
    return problem(check, `${folder} is not writable`, fix);
  }
}

function nearestExisting(folder: string): string {
  return existsSync(folder) || dirname(folder) === folder
    ? folder
    : nearestExisting(dirname(folder));
}
