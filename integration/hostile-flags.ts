import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect } from 'vitest';
import { makeFolder } from './support.js';

const MAIN = join(import.meta.dirname, '..', 'dist', 'cli.js');
/** Exit codes that the command line documents, without those of an ended process. */
const DOCUMENTED = [0, 1, 2, 3, 4, 5, 6, 7];

const COMMANDS = ['run', 'batch', 'sessions', 'explain', 'doctor', 'no-such-command'];
const VALUES = [
  '',
  '-',
  '--',
  '-1',
  'NaN',
  '1e999',
  '/no/such/file',
  '.',
  '{"a":',
  '\u001b[2J',
  '%s',
];
const FLAGS = [
  '--config',
  '--model',
  '--timeout',
  '--approval-mode',
  '--cwd',
  '--out',
  '--concurrency',
  '--stdout',
  '--exit-code',
  '--limit',
  '--file',
  '--format',
  '--no-such-flag',
  '--__proto__',
];

/** Command lines with wrong, odd and hostile arguments: each command with every flag and a value in turn. */
export const COMMAND_LINES: readonly (readonly string[])[] = COMMANDS.flatMap((command, row) =>
  FLAGS.flatMap((flag, column) => {
    const value = VALUES[(row * FLAGS.length + column) % VALUES.length] ?? '';
    return [
      [command, flag, value],
      [command, `${flag}=${value}`],
    ];
  }),
);

/** Runs the command line without a login. The command must end by itself, with a documented code and no stack trace. */
export async function expectPlainRefusal(args: readonly string[]): Promise<void> {
  const home = makeFolder({ 'plan.json': '{"steps":[]}' });
  const env = {
    PATH: process.env['PATH'],
    HOME: home,
    GEMINI_CLI_HOME: home,
    XDG_STATE_HOME: home,
  };
  const child = spawn(process.execPath, [MAIN, ...args], { cwd: home, env });
  child.stdin.end();
  const output = Promise.all([text(child.stdout), text(child.stderr)]);
  const [code] = await once(child, 'exit');
  const [stdout, stderr] = await output;
  const said = `${args.join(' ')}\n${stdout}\n${stderr}`;
  expect(DOCUMENTED, said).toContain(code);
  expect(`${stdout}${stderr}`, said).not.toMatch(/^ {4}at |TypeError|RangeError|ERR_/m);
  expect(`${stdout}${stderr}`, said).not.toContain('\u001b');
  // An empty `run` finds no prompt; every refusal says so in words.
  if (code !== 0) expect(stderr.trim() + stdout.trim(), said).not.toBe('');
}
