import { ProviderError } from '../../base/errors/provider-error.js';
import { askGit, type GitDir } from '../../base/git/run-git.js';

/** Returns the tree of a commit. Throws if the repository does not have the commit. */
export async function assertCommit(
  git: GitDir,
  commit: string,
  signal?: AbortSignal,
): Promise<string> {
  const tree = await findTree(git, commit, signal);
  if (tree !== undefined) return tree;
  throw new ProviderError({
    code: signal?.aborted ? 'CANCELLED' : 'INVALID_INPUT',
    message: `The objects of the workspace do not contain commit ${commit}`,
    hint: 'The store is damaged, or another program has written to it. Run the step again.',
  });
}

/** Returns the tree of a commit; undefined if the repository does not have both. */
export async function findTree(
  git: GitDir,
  commit: string,
  signal?: AbortSignal,
): Promise<string | undefined> {
  const stdin = Buffer.from(`${commit}^{commit}\n${commit}^{tree}\n`);
  const { exitCode, stdout } = await askGit(git, ['cat-file', '--batch-check'], { stdin, signal });
  const [, tree] = /^[0-9a-f]+ commit \d+\n([0-9a-f]+) tree \d+\n$/.exec(stdout.toString()) ?? [];
  return exitCode === 0 ? tree : undefined;
}
