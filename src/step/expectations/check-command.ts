import type { ExpectedCommand, MissingExpectation } from '../../api/expectations.js';
import type { Redactor } from '../../base/errors/redact.js';
import { statIfThere } from '../../base/fs/stats.js';
import type { TreeIsolation } from '../../base/process/isolation.js';
import { findEndingSignal } from '../../base/process/own-session.js';
import { type ProgramExit, runProgram } from '../../base/process/run-program.js';
import { toSeconds } from '../../base/text/parse-duration.js';
import { splitCommandLine } from '../../config/command-line.js';
import { shorten, toPlainText } from './wording.js';

const DEFAULT_TIMEOUT_SECONDS = 300;
const SHOWN_CHARACTERS = 4_000;
/** Bytes of output that are kept. Many more than are shown, so that no secret is cut before it is redacted. */
const KEPT_BYTES = 64 * 1024;

export interface CommandEnvironment {
  readonly workingDir: string;
  /** Environment of the command, with `node_modules/.bin` of the project on PATH. */
  readonly env: Readonly<Record<string, string>>;
  readonly redactor: Redactor;
  readonly isolation?: TreeIsolation | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Runs a command, which must exit with 0. Throws the reason of the signal if that is aborted. */
export async function checkCommand(
  expected: string | ExpectedCommand,
  { workingDir, env, redactor, isolation, signal }: CommandEnvironment,
): Promise<MissingExpectation[]> {
  const program = typeof expected === 'string' ? splitCommandLine(expected) : expected;
  const shown = shorten(nameOfCommand(expected));
  if ('problem' in program) return [missing(`\`${shown}\` ${program.problem}`)];
  const { command, args = [] } = program;
  const timeout = 'timeout' in program ? program.timeout : undefined;
  const seconds = toSeconds(timeout) ?? DEFAULT_TIMEOUT_SECONDS;
  const timeoutMs = seconds * 1000;
  const request = { command, args, cwd: workingDir, env, timeoutMs, signal, isolation };
  const exit = await runProgram({ ...request, outputBytes: KEPT_BYTES });
  if (exit.exitCode === 0 && !exit.isTimedOut) return [];
  const output = redactor.text(toPlainText(exit.output)).trim();
  const reason = describeExit(exit, command, workingDir, seconds);
  const found = missing(redactor.text(`\`${shown}\` ${reason}`), output.slice(-SHOWN_CHARACTERS));
  // A command that took too long was ended by this package.
  const endedBy = exit.isTimedOut ? undefined : findEndingSignal(exit);
  return [endedBy === undefined ? found : { ...found, signal: endedBy }];
}

function missing(message: string, output = ''): MissingExpectation {
  return { kind: 'command', message, ...(output === '' ? {} : { detail: output }) };
}

/** Returns a command on one line, as it is shown to users. */
export function nameOfCommand(expected: string | ExpectedCommand): string {
  if (typeof expected === 'string') return expected.trim().replace(/\s+/g, ' ');
  return [expected.command, ...(expected.args ?? [])]
    .map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : JSON.stringify(word)))
    .join(' ');
}

function describeExit(
  { spawnErrno, isTimedOut, signal, exitCode }: ProgramExit,
  command: string,
  workingDir: string,
  seconds: number,
): string {
  if (spawnErrno !== undefined) return describeSpawn(spawnErrno, command, workingDir);
  if (isTimedOut) return `did not exit within ${seconds} s and was stopped`;
  return signal === undefined ? `exited with ${exitCode}` : `was killed by ${signal}`;
}

function describeSpawn(errno: string, command: string, workingDir: string): string {
  if (!statIfThere(workingDir)?.isDirectory()) {
    return 'could not be started: the working directory does not exist any more';
  }
  if (errno === 'EACCES') return `could not be started: ${command} is not executable`;
  if (errno !== 'ENOENT') return `could not be started (${errno})`;
  const where = command.includes('/')
    ? 'relative to the working directory'
    : 'in node_modules/.bin of the project or on PATH';
  return `could not be started: ${command} was not found ${where}`;
}
