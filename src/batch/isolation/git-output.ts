import { ProviderError } from '../../base/errors/provider-error.js';
import { askGit, type GitDir, type GitOptions } from '../../base/git/run-git.js';
import type { CommandOutput } from '../../base/process/capture-command.js';
import { findEndingSignal } from '../../base/process/own-session.js';

/** Timeout of a git command. A checkout may have to fetch large files. */
const SLOW_GIT_MS = 600_000;

/** Returns the stdout of a git command. Throws if the command fails. */
export async function gitOutput(
  git: GitDir,
  args: readonly string[],
  options: GitOptions = {},
): Promise<Buffer> {
  const answer = await askGit(git, args, { timeoutMs: SLOW_GIT_MS, ...options });
  if (answer.exitCode === 0) return answer.stdout;
  throw describeRefusal(args, answer, options.signal);
}

/** Returns the one line that a git command prints, for example the name of an object. */
export async function gitLine(
  git: GitDir,
  args: readonly string[],
  options: GitOptions = {},
): Promise<string> {
  return (await gitOutput(git, args, options)).toString().replace(/\n$/, '');
}

/**
 * Like `Promise.all`, but waits until every promise is settled. When one has failed, the folder that the others work
 * on is removed: no git command may still run in it.
 */
export async function settleAll<T extends readonly unknown[] | []>(
  work: T,
): Promise<{ -readonly [P in keyof T]: Awaited<T[P]> }> {
  await Promise.allSettled(work);
  return Promise.all(work);
}

export function describeRefusal(
  args: readonly string[],
  answer: CommandOutput,
  signal?: AbortSignal,
): ProviderError {
  const { exitCode, stderrTail, errno } = answer;
  if (signal?.aborted) return cancelled();
  if (errno === 'ENOENT') return gitMissing();
  const ending = findEndingSignal(answer) ?? answer.signal;
  if (ending !== undefined) return describeKilled(args, ending, stderrTail);
  if (answer.isTimedOut === true) return describeTimeout(args, stderrTail);
  const complaint = /^(?:fatal|error): .+$/m.exec(stderrTail)?.[0] ?? 'git printed no reason';
  return new ProviderError({
    code: 'INVALID_INPUT',
    message: `Command git ${args[0] ?? ''} failed in the repository of the working directory: ${complaint}`,
    hint: 'Repair the repository as git says in `stderrTail`, or set `isolation: copy`.',
    exitCode,
    stderrTail,
  });
}

/** Describes a git command that another process has ended, for example the shutdown of the system. */
function describeKilled(
  args: readonly string[],
  signal: string,
  stderrTail: string,
): ProviderError {
  return new ProviderError({
    code: 'INCOMPLETE',
    message: `Command git ${args[0] ?? ''} was ended by ${signal}, which this package did not send`,
    hint: 'Another program or the system has ended git. Run the step again.',
    signal,
    stderrTail,
  });
}

function describeTimeout(args: readonly string[], stderrTail: string): ProviderError {
  return new ProviderError({
    code: 'TIMEOUT',
    message: `Command git ${args[0] ?? ''} took longer than its time in the repository of the working directory`,
    hint: 'See whether git hangs in the repository (a filter, a hook, a disk that does not answer), or set `isolation: copy`.',
    stderrTail,
  });
}

export function gitMissing(): ProviderError {
  return new ProviderError({
    code: 'INVALID_CONFIG',
    message: 'The option `isolation: worktree` needs git, and git is not on PATH',
    hint: 'Install git 2.38 or newer, or set `isolation: copy`.',
  });
}

export function cancelled(): ProviderError {
  return new ProviderError({
    code: 'CANCELLED',
    message: 'The step was cancelled while its workspace was prepared',
  });
}
