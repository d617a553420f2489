import { askGit } from '../../base/git/run-git.js';
import type { Repository } from '../../batch/isolation/open-repository.js';

const ATTRIBUTES = ['text', 'eol', 'crlf', 'filter', 'ident', 'working-tree-encoding'];
const NOT_CONVERTING = new Set(['unspecified', 'unset']);

/**
 * True if git converts no file of the repository, so that the objects in the user's index have the bytes of the files. The
 * first state of a large folder is then written without reading its files.
 */
export async function canSeedIndex(
  { top, gitDir }: Repository,
  signal?: AbortSignal,
): Promise<boolean> {
  const git = { folder: top, gitDir };
  const [crlf, files] = await Promise.all([
    askGit(git, ['config', '--get', 'core.autocrlf'], { signal }),
    askGit(git, ['ls-files', '-z'], { signal }),
  ]);
  if (!/^(?:false|0|no|off)?$/i.test(crlf.stdout.toString().trim()) || files.exitCode !== 0)
    return false;
  const args = ['check-attr', '--stdin', '-z', ...ATTRIBUTES];
  const answer = await askGit(git, args, { stdin: files.stdout, signal });
  if (answer.exitCode !== 0) return false;
  // The answer is a list of path, attribute and value.
  const words = answer.stdout.toString('latin1').split('\0');
  return words.every((word, index) => index % 3 !== 2 || NOT_CONVERTING.has(word));
}
