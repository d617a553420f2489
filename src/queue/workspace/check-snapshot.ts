import { ProviderError } from '../../base/errors/provider-error.js';
import type { GitDir } from '../../base/git/run-git.js';
import { describePath } from '../../batch/isolation/byte-path.js';
import { checkFileSizes, checkShipLimit, type ResolvedShipLimits } from './check-limit.js';
import {
  findEscapingLinks,
  findForbidden,
  readLinks,
  readTreeFiles,
  type TreeFile,
} from './tree-check.js';

/**
 * Lists the files of a state that has travelled. Refuses a state that could make git or an agent write outside of the
 * worktree.
 */
export async function checkSnapshot(
  git: GitDir,
  tree: string,
  limits: ResolvedShipLimits,
  root: string,
): Promise<TreeFile[]> {
  const files = await readTreeFiles(git, tree);
  checkShipLimit(limits, 'maxFiles', files.length, root);
  const sizes = files.map(({ path, bytes }) => ({ name: describePath(path), bytes }));
  checkFileSizes(limits, 'maxUploadBytes', sizes, root);
  for (const { path, mode } of files) {
    const problem = findForbidden(path, mode);
    if (problem !== undefined) throw refused(describePath(path), problem);
  }
  const [escaping] = findEscapingLinks(await readLinks(git, files));
  if (escaping !== undefined)
    throw refused(describePath(escaping), 'is a link that leads out of the folder');
  return files;
}

function refused(path: string, problem: string): ProviderError {
  return new ProviderError({
    code: 'INVALID_INPUT',
    message: `The worker refuses the workspace: ${path} ${problem}`,
    hint: 'Remove the named path from the workspace of the caller.',
  });
}
