import { basename, join } from 'node:path';
import type { GitDir } from '../../base/git/run-git.js';
import { type BytePath, describePath, splitNames } from './byte-path.js';
import { readFileIdentity } from './file-identity.js';
import { findWritesThroughLinks } from './find-writes-through-links.js';
import { gitOutput } from './git-output.js';
import { linkFolder } from './link-folder.js';

export const DEFAULT_LINK_FOLDERS: readonly string[] = ['node_modules'];

/** A folder of the original that the step has as links. */
export interface LinkedFolder {
  readonly path: BytePath;
  /** The folders of the original that can be written to through it. */
  readonly targets: readonly string[];
  /** When it was linked. */
  readonly sinceNs: bigint;
}

/** Ignored folders of these names. What git tracks of a folder keeps it from being ignored. */
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

/** Links them in the tree of a step, where they are real folders and there is nothing in their place. */
export function linkFolders(
  root: string,
  tree: string,
  paths: readonly string[],
): readonly LinkedFolder[] {
  return paths.flatMap((path) => {
    const [original, inTree] = [join(root, path), join(tree, path)];
    if (!readFileIdentity(original)?.isDirectory() || readFileIdentity(inTree) !== undefined)
      return [];
    const targets = linkFolder(original, inTree);
    const sinceNs = readFileIdentity(inTree)?.mtimeNs ?? 0n;
    return { path: Buffer.from(path).toString('latin1'), targets, sinceNs };
  });
}

/** Tells what was written into the original through links while the step ran, by it or by others. */
export async function describeWrittenThrough(linked: readonly LinkedFolder[]): Promise<string[]> {
  const found = await Promise.all(
    linked.map(({ targets, sinceNs }) => findWritesThroughLinks(targets, sinceNs)),
  );
  const paths = found.flat();
  if (paths.length === 0) return [];
  return [
    `written in the original while the step ran, through a linked folder: ${paths.join(', ')}`,
  ];
}
