import { basename, dirname, join, relative } from 'node:path';
import { readFileState } from '../../base/fs/fingerprint.js';
import { isInside, realpathOf } from '../../base/fs/paths.js';
import { isAtOrBelow, toBytePath } from './byte-path.js';
import type { LinkedFolder } from './linked-folders.js';
import type { ReportedFile } from './step-changes.js';

/** Reads the files of the manifest as the step has left them, for the comparison with the original after the merge. */
export async function reportFiles(
  tree: string,
  linked: readonly LinkedFolder[],
  files: readonly string[],
): Promise<ReportedFile[]> {
  const reported: ReportedFile[] = [];
  for (const absolutePath of files) {
    const sha256 = (await readFileState(absolutePath))?.sha256;
    const folder = realpathOf(dirname(absolutePath));
    const path = toBytePath(relative(tree, join(folder, basename(absolutePath))));
    const isMerged = isInside(tree, folder) && !linked.some((link) => isAtOrBelow(link.path, path));
    reported.push({ absolutePath, sha256, path: isMerged ? path : undefined });
  }
  return reported;
}
