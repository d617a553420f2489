import type { GitDir } from '../../base/git/run-git.js';
import { gitOutput } from '../../batch/isolation/git-output.js';

/** Makes a pack of a commit with all its objects, without deltas: a pack is made once and read once. */
export function packWhole(git: GitDir, commit: string, signal?: AbortSignal): Promise<Buffer> {
  return gitOutput(git, ['pack-objects', '--revs', '--stdout', '-q'], {
    stdin: Buffer.from(`${commit}\n`),
    settings: ['pack.window=0', 'core.compression=1'],
    signal,
  });
}

/** Makes a pack of the objects of a commit that another commit lacks, as deltas of the other's objects. */
export function packChange(
  git: GitDir,
  commit: string,
  known: string,
  signal?: AbortSignal,
): Promise<Buffer> {
  return gitOutput(git, ['pack-objects', '--revs', '--thin', '--stdout', '-q'], {
    stdin: Buffer.from(`${commit}\n^${known}\n`),
    signal,
  });
}

/**
 * Adds the objects of a pack to a repository. Git checks every object: names such as `.git` in a tree, and links to
 * objects that do not exist.
 */
export async function unpack(
  git: GitDir,
  pack: Buffer,
  { mostBytes, signal }: { readonly mostBytes: number; readonly signal?: AbortSignal | undefined },
): Promise<void> {
  const args = ['index-pack', '--strict', '--stdin', '--fix-thin', `--max-input-size=${mostBytes}`];
  await gitOutput(git, args, { stdin: pack, signal });
}
