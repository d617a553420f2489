import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { GEMINI, type Lab } from './support.js';

const MAIN = join(import.meta.dirname, '..', 'dist', 'cli.js');

/** Starts `gemini-cli-provider batch` in the workspace of a lab. */
export function startBatch(
  lab: Lab,
  args: readonly string[],
  variables: Readonly<Record<string, string>> = {},
): ReturnType<typeof startCommand> {
  return startCommand(lab, ['batch', ...args], variables);
}

/** Starts `gemini-cli-provider` in the workspace of a lab. `done` has its exit code and output. */
export function startCommand(
  { workspace, model }: Lab,
  args: readonly string[],
  variables: Readonly<Record<string, string>> = {},
) {
  const env = { ...process.env, ...model.env, GEMINI_CLI_PATH: GEMINI, ...variables };
  const child = spawn(process.execPath, [MAIN, ...args], { cwd: workspace, env });
  child.stdin.end();
  const output = Promise.all([text(child.stdout), text(child.stderr)]);
  const done = async () => {
    const [[code], [stdout, stderr]] = await Promise.all([once(child, 'exit'), output]);
    return { code, stdout, stderr };
  };
  return { child, done: done() };
}
