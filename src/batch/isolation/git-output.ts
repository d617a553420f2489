import { ProviderError } from '../../base/errors/provider-error.js';
import { askGit, type GitDir, type GitOptions } from '../../base/git/run-git.js';
import type { CommandOutput } from '../../base/process/run-command.js';

/** A checkout may have to fetch large files. */
const SLOW_GIT_MS = 600_000;

/** The stdout of a command of git that is to succeed. */
export async function gitOutput(
  git: GitDir,
  args: readonly string[],
  options: GitOptions = {},
): Promise<Buffer> {
  const answer = await askGit(git, args, { timeoutMs: SLOW_GIT_MS, ...options });
  if (answer.exitCode === 0) return answer.stdout;
  throw describeRefusal(args, answer, options.signal);
}

/** The same for one line: the name of an object. */
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
  { exitCode, stderrTail, errno }: CommandOutput,
  signal?: AbortSignal,
): ProviderError {
  if (signal?.aborted) return cancelled();
  if (errno === 'ENOENT') return gitMissing();
  const complaint = /^(?:fatal|error): .+$/m.exec(stderrTail)?.[0] ?? 'it gave no reason';
  return new ProviderError({
    code: 'INVALID_INPUT',
    message: `git ${args[0] ?? ''} failed in the repository of the working directory: ${complaint}`,
    hint: 'Mend the repository as git says in `stderrTail`, or set `isolation: copy`.',
    exitCode,
    stderrTail,
  });
}

export function gitMissing(): ProviderError {
  return new ProviderError({
    code: 'INVALID_CONFIG',
    message: 'isolation in a worktree needs git, and there is none on PATH',
    hint: 'Install git 2.38 or newer, or set `isolation: copy`.',
  });
}

export function cancelled(): ProviderError {
  return new ProviderError({
    code: 'CANCELLED',
    message: 'the step was cancelled while its workspace was prepared',
  });
}
