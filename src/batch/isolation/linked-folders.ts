import { basename, join } from 'node:path';
import type { GitDir } from '../../base/git/run-git.js';
import { type BytePath, describePath, splitNames } from './byte-path.js';
import { readStats } from './file-identity.js';
import { findWritesThroughLinks } from './find-writes-through-links.js';
import { gitOutput } from './git-output.js';
import { linkFolder } from './link-folder.js';

export const DEFAULT_LINK_FOLDERS: readonly string[] = ['node_modules'];

/** Folder of the original that the step gets as links. */
export interface LinkedFolder {
  readonly path: BytePath;
  /** Folders of the original that the links lead to. */
  readonly targets: readonly string[];
  /** Time of linking. */
  readonly sinceNs: bigint;
}

/** Finds ignored folders with these names. A folder with a tracked file does not count as ignored. */
export async function findIgnoredFolders(
  git: GitDir,
  names: readonly string[],
  signal?: AbortSignal,
): Promise<string[]> {
  if (names.length === 0) return [];
  const args = ['ls-files', '--others', '--ignored', '--exclude-standard', '--directory', '-z'];
  const ignored = splitNames(await gitOutput(git, args, { signal }));
  return ignored
    .filter((path) => path.endsWith('/'))
    .map((path) => describePath(path.slice(0, -1)))
    .filter((path) => names.includes(basename(path)));
}

/** Links folders of the original in the tree of a step. Skips paths that are links or already exist in the tree. */
export function linkFolders(
  root: string,
  tree: string,
  paths: readonly string[],
): readonly LinkedFolder[] {
  return paths.flatMap((path) => {
    const [original, inTree] = [join(root, path), join(tree, path)];
    if (!readStats(original)?.isDirectory() || readStats(inTree) !== undefined) return [];
    const targets = linkFolder(original, inTree);
    const sinceNs = readStats(inTree)?.mtimeNs ?? 0n;
    return { path: Buffer.from(path).toString('latin1'), targets, sinceNs };
  });
}

/**
 * Describes files that were written in linked folders of the original while the step ran, by the step or another
 * program.
 */
export async function describeWrittenThrough(linked: readonly LinkedFolder[]): Promise<string[]> {
  const found = await Promise.all(
    linked.map(({ targets, sinceNs }) => findWritesThroughLinks(targets, sinceNs)),
  );
  const paths = found.flat();
  if (paths.length === 0) return [];
  return [`Linked folders of the original were written to while the step ran: ${paths.join(', ')}`];
}
