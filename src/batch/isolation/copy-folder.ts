import { type BigIntStats, chmodSync, mkdirSync } from 'node:fs';
import { basename, relative } from 'node:path';
import { isInside, realpathOf } from '../../base/fs/paths.js';
import { createEventLoopYield } from '../../base/process/yield-to-event-loop.js';
import { type BytePath, describePath, onDisk, toBytePath } from './byte-path.js';
import { type CopyRoots, copyEntry, isForeignGitFile, pointsIntoOriginal } from './copy-entry.js';
import type { FileSnapshot } from './file-snapshot.js';
import { cancelled } from './git-output.js';
import { walkFolder } from './walk-folder.js';

const ENTRIES_PER_YIELD = 32;
const WRITABLE = 0o700;

export interface CopyRequest extends CopyRoots {
  /** Folders of this package that are not part of the workspace. */
  readonly ownFolders: readonly string[];
  /** Names of ignored folders that are linked, not copied. */
  readonly linkFolders: readonly string[];
  readonly signal?: AbortSignal | undefined;
}

export interface FolderCopy {
  readonly known: ReadonlyMap<BytePath, FileSnapshot>;
  /** Folders that were not copied and are to be linked. */
  readonly toLink: readonly string[];
  readonly notes: readonly string[];
}

/** Copies a folder with all its content, `.git` included, and returns a snapshot of each file. */
export async function copyFolder(request: CopyRequest): Promise<FolderCopy> {
  const { root, tree, texts, signal } = request;
  const known = new Map<BytePath, FileSnapshot>();
  const toLink: string[] = [];
  const notes: string[] = [];
  const closed: { readonly target: Buffer; readonly mode: number }[] = [];
  const own = new Set(
    request.ownFolders
      .filter((folder) => isInside(root, folder))
      .map((folder) => toBytePath(relative(root, realpathOf(folder)))),
  );
  const isSkipped = (path: BytePath, stats: BigIntStats, isIgnored: boolean): boolean => {
    if (own.has(path)) return true;
    if (isForeignGitFile(root, path, stats)) {
      notes.push(
        `Entry ${describePath(path)} belongs to a repository outside of the folder and was not copied`,
      );
      return true;
    }
    if (!isIgnored || !stats.isDirectory()) return false;
    const isLinked = request.linkFolders.includes(basename(describePath(path)));
    if (isLinked) toLink.push(describePath(path));
    return isLinked;
  };
  mkdirSync(tree, { recursive: true });
  const eventLoop = createEventLoopYield({ every: ENTRIES_PER_YIELD });
  for (const { path, stats, isIgnored } of walkFolder(root, { original: root, isSkipped })) {
    await eventLoop.spend(1);
    if (signal?.aborted) throw cancelled();
    if (stats.isDirectory()) {
      const target = onDisk(tree, path);
      mkdirSync(target);
      closed.push({ target, mode: Number(stats.mode & 0o777n) });
      if (texts !== undefined && !isIgnored) mkdirSync(onDisk(texts, path));
    } else if (stats.isFile() || stats.isSymbolicLink()) {
      if (pointsIntoOriginal(root, path, stats)) {
        notes.push(
          `Link ${describePath(path)} leads into the original: writes through it change the original`,
        );
      }
      const file = await copyEntry(request, path, isIgnored);
      if (file !== undefined) known.set(path, file);
    } else {
      notes.push(`Entry ${describePath(path)} is not a file, folder or link and was not copied`);
    }
  }
  // Read-only modes are set at the end, innermost first: a read-only folder could not be filled.
  for (const { target, mode } of closed.reverse()) {
    if ((mode & WRITABLE) !== WRITABLE) chmodSync(target, mode);
  }
  return { known, toLink, notes };
}
