import type { ExpectedCommand, MissingExpectation } from '../../api/expectations.js';
import type { Redactor } from '../../base/errors/redact.js';
import { statIfThere } from '../../base/fs/stats.js';
import { type ProgramExit, runProgram } from '../../base/process/run-program.js';
import { splitCommandLine } from '../../config/command-line.js';
import { shorten, toPlainText } from './wording.js';

const DEFAULT_TIMEOUT_SECONDS = 300;
const SHOWN_CHARACTERS = 4_000;
/** Far more than is shown, so that a secret is not cut in two before it is recognised. */
const KEPT_BYTES = 64 * 1024;

export interface CommandEnvironment {
  readonly workingDir: string;
  /** With the programs of the project on its PATH. */
  readonly env: Readonly<Record<string, string>>;
  readonly redactor: Redactor;
  readonly signal?: AbortSignal | undefined;
}

/** The command must exit with 0. Throws the reason of the signal. */
export async function checkCommand(
  expected: string | ExpectedCommand,
  { workingDir, env, redactor, signal }: CommandEnvironment,
): Promise<MissingExpectation[]> {
  const program = typeof expected === 'string' ? splitCommandLine(expected) : expected;
  const shown = shorten(nameOf(expected));
  if ('problem' in program) return [missing(`\`${shown}\` ${program.problem}`)];
  const { command, args = [] } = program;
  const timeout = 'timeout' in program ? program.timeout : undefined;
  const seconds = timeout ?? DEFAULT_TIMEOUT_SECONDS;
  const timeoutMs = seconds * 1000;
  const request = { command, args, cwd: workingDir, env, timeoutMs, signal };
  const end = await runProgram({ ...request, outputBytes: KEPT_BYTES });
  if (end.exitCode === 0 && !end.isTimedOut) return [];
  const output = redactor.text(toPlainText(end.output)).trim();
  const reason = describeEnd(end, command, workingDir, seconds);
  return [missing(redactor.text(`\`${shown}\` ${reason}`), output.slice(-SHOWN_CHARACTERS))];
}

function missing(message: string, output = ''): MissingExpectation {
  return { kind: 'command', message, ...(output === '' ? {} : { detail: output }) };
}

function nameOf(expected: string | ExpectedCommand): string {
  if (typeof expected === 'string') return expected.trim().replace(/\s+/g, ' ');
  return [expected.command, ...(expected.args ?? [])]
    .map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : JSON.stringify(word)))
    .join(' ');
}

function describeEnd(
  { spawnErrno, isTimedOut, signal, exitCode }: ProgramExit,
  command: string,
  workingDir: string,
  seconds: number,
): string {
  if (spawnErrno !== undefined) return describeSpawn(spawnErrno, command, workingDir);
  if (isTimedOut) return `did not end within ${seconds} s and was ended`;
  return signal === undefined ? `exited with ${exitCode}` : `was ended by ${signal}`;
}

function describeSpawn(errno: string, command: string, workingDir: string): string {
  if (!statIfThere(workingDir)?.isDirectory()) {
    return 'could not be started: the working directory is gone';
  }
  if (errno === 'EACCES') return `could not be started: ${command} is not executable`;
  if (errno !== 'ENOENT') return `could not be started (${errno})`;
  const where = command.includes('/')
    ? 'from the working directory'
    : 'in node_modules/.bin of the project or on PATH';
  return `could not be started: there is no ${command} ${where}`;
}
