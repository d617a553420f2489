import {
  type BigIntStats,
  constants,
  copyFileSync,
  linkSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  utimesSync,
} from 'node:fs';
import { dirname, isAbsolute, resolve } from 'node:path';
import { isInside } from '../../base/fs/paths.js';
import { type BytePath, onDisk } from './byte-path.js';
import { readStats } from './file-identity.js';
import { type FileSnapshot, permissionsOf, readContent, stampOf } from './file-snapshot.js';

const MOST_TRIES = 3;
/** Git objects never change after they are written, so they can be hard-linked. */
const GIT_OBJECT = /(?:^|\/)\.git\/objects\//;

export interface CopyRoots {
  readonly root: string;
  readonly tree: string;
  /** Folder for the old contents of text files, needed for three-way merges; absent if there is no git. */
  readonly texts?: string | undefined;
}

/** Copies a file or a link, without using disk space if the file system supports copy-on-write. */
export async function copyEntry(
  roots: CopyRoots,
  path: BytePath,
  isIgnored: boolean,
): Promise<FileSnapshot | undefined> {
  const [from, to] = [onDisk(roots.root, path), onDisk(roots.tree, path)];
  for (let tries = 1; ; tries++) {
    const original = readStats(from);
    // The entry was removed meanwhile, or replaced by a folder.
    if (!original?.isFile() && !original?.isSymbolicLink()) return undefined;
    if (original.isSymbolicLink()) symlinkSync(readlinkSync(from, 'buffer'), to);
    else if (GIT_OBJECT.test(path) && shareFile(from, to)) return undefined;
    else copyFileSync(from, to, constants.COPYFILE_FICLONE);
    const after = readStats(from);
    const isTorn = original.isFile() && after !== undefined && stampOf(after) !== stampOf(original);
    if (isTorn && tries < MOST_TRIES) continue;
    return createSnapshot(roots, path, original, isIgnored);
  }
}

async function createSnapshot(
  { tree, texts }: CopyRoots,
  path: BytePath,
  original: BigIntStats,
  isIgnored: boolean,
): Promise<FileSnapshot> {
  const copy = onDisk(tree, path);
  const isLink = original.isSymbolicLink();
  if (!isLink) utimesSync(copy, Number(original.atimeMs) / 1000, Number(original.mtimeMs) / 1000);
  const stats = readStats(copy) ?? original;
  const content = isIgnored ? undefined : await readContent(copy, stats);
  if (content?.isText && texts !== undefined) {
    copyFileSync(copy, onDisk(texts, path), constants.COPYFILE_FICLONE);
  }
  return {
    isLink,
    permissions: permissionsOf(original),
    isIgnored,
    originalStamp: stampOf(original),
    copyStamp: stampOf(stats),
    sha256: content?.sha256,
  };
}

function shareFile(from: Buffer, to: Buffer): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch {
    return false;
  }
}

/**
 * True if a `.git` is a file or link to a repository outside of the copied folder. With it, git in the copy would
 * change the index of the original.
 */
export function isForeignGitFile(root: string, path: BytePath, stats: BigIntStats): boolean {
  if (!/(?:^|\/)\.git$/.test(path) || stats.isDirectory()) return false;
  if (!stats.isFile()) return true;
  const file = onDisk(root, path).toString();
  const target = readFileSync(file, 'utf8')
    .replace(/^gitdir: /, '')
    .trim();
  return isAbsolute(target) || !isInside(root, resolve(dirname(file), target));
}

/** True for an absolute link into the original. Writes through its copy change the original. */
export function pointsIntoOriginal(root: string, path: BytePath, stats: BigIntStats): boolean {
  if (!stats.isSymbolicLink()) return false;
  const target = readlinkSync(onDisk(root, path));
  return isAbsolute(target) && isInside(root, target);
}
