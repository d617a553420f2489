import { ProviderError } from '../../base/errors/provider-error.js';
import { createRedactor, secretsOf } from '../../base/errors/redact.js';
import { type CommandOutput, captureCommand } from '../../base/process/capture-command.js';
import { type Environment, readEnvironment } from '../../base/process/environment.js';
import { splitCommandLine } from '../../config/command-line.js';

const DEFAULT_TIMEOUT_MS = 10 * 60 * 1000;
const OUTPUT_CHARACTERS = 4_000;
/** Variables by which a program can use the model. A package that `npm ci` installs must not. Tokens of registries stay. */
const MODEL_KEYS = /_API_KEY$|^GOOGLE_(?:APPLICATION_CREDENTIALS|CLOUD_ACCESS_TOKEN)$/i;

/** Returns program and arguments of a setup command. */
export function parseSetupCommand(command: string | readonly string[]): readonly string[] {
  if (typeof command !== 'string') {
    if (command.length > 0 && command.every((word) => typeof word === 'string')) return command;
    throw invalidSetup('it is an empty list');
  }
  const split = splitCommandLine(command);
  if ('problem' in split) throw invalidSetup(split.problem);
  return [split.command, ...split.args];
}

export interface SetupRun {
  readonly cwd: string;
  readonly timeoutMs?: number | undefined;
  /** Names of variables with model keys that the command gets all the same. */
  readonly variables?: readonly string[] | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Runs the setup command. Throws with its output if it fails. */
export async function runSetup(words: readonly string[], run: SetupRun): Promise<void> {
  const [command = '', ...args] = words;
  const { cwd, signal, timeoutMs = DEFAULT_TIMEOUT_MS, variables } = run;
  const env = withoutModelKeys(readEnvironment(), variables);
  const request = { command, args, cwd, env, inheritEnv: false, timeoutMs, signal };
  const answer = await captureCommand(request);
  if (answer.exitCode === 0) return;
  const line = words.join(' ');
  if (signal?.aborted) {
    throw new ProviderError({
      code: 'CANCELLED',
      message: `The step was cancelled while its setup command ran: ${line}`,
    });
  }
  throw new ProviderError({
    code: answer.isTimedOut ? 'TIMEOUT' : 'INVALID_CONFIG',
    message: `The setup command ${describeExit(answer, timeoutMs)}: ${line}`,
    hint: answer.isTimedOut
      ? 'Raise `setupTimeout` of the worker (`--setup-timeout`), or correct `setup`.'
      : 'The end of its output is in `stderrTail`. Run the command by hand in a fresh clone, and correct `setup`.',
    exitCode: answer.exitCode,
    // The error travels to the caller, and a command may print what it finds in its environment.
    stderrTail: createRedactor(secretsOf(readEnvironment()))
      .text(`${answer.stdout.toString()}${answer.stderrTail}`)
      .slice(-OUTPUT_CHARACTERS),
  });
}

/** Returns the environment without the keys of models, except those that are named. */
function withoutModelKeys(
  environment: Environment,
  named: readonly string[] = [],
): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(environment)) {
    const isKept = named.includes(name) || !MODEL_KEYS.test(name);
    if (value !== undefined && isKept) kept[name] = value;
  }
  return kept;
}

function describeExit(
  { exitCode, errno, isTimedOut, signal }: CommandOutput,
  timeoutMs: number,
): string {
  if (isTimedOut) return `took longer than ${timeoutMs} ms`;
  if (errno !== undefined) return `could not be started (${errno})`;
  return exitCode === undefined
    ? `was ended by ${signal ?? 'a signal'}`
    : `failed with exit code ${exitCode}`;
}

function invalidSetup(problem: string): ProviderError {
  return new ProviderError({
    code: 'INVALID_CONFIG',
    message: `The option \`setup\` is no command: ${problem}`,
    hint: 'Give a program with its arguments, without a shell, for example `npm ci`.',
  });
}
