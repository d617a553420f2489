import {
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readlinkSync,
  symlinkSync,
} from 'node:fs';
import { createEventLoopYield } from '../../base/process/yield-to-event-loop.js';
import { type BytePath, foldersAbove, onDisk } from './byte-path.js';
import { TreeChangedError } from './check-changes.js';
import { readStats } from './file-identity.js';
import { permissionsOf, readContent } from './file-snapshot.js';

const FILES_PER_YIELD = 16;
const READABLE = 0o600;

/** File or link as it was saved, for the check before it is merged. */
export interface SavedFile {
  readonly sha256: string;
  readonly permissions: number;
  readonly isLink: boolean;
}

/** Copies files and links to their paths below a folder, and syncs them. Returns what a later check compares. */
export async function saveFiles(
  folder: string,
  sources: ReadonlyMap<BytePath, Buffer>,
): Promise<Map<BytePath, SavedFile>> {
  const saved = new Map<BytePath, SavedFile>();
  const folders = new Set<BytePath>();
  const eventLoop = createEventLoopYield({ every: FILES_PER_YIELD });
  mkdirSync(folder, { recursive: true });
  for (const [path, source] of sources) {
    await eventLoop.spend(1);
    for (const above of foldersAbove(path)) {
      if (!folders.has(above)) mkdirSync(onDisk(folder, above), { recursive: true });
      folders.add(above);
    }
    saved.set(path, await saveFile(onDisk(folder, path), source));
  }
  for (const path of folders) syncPath(onDisk(folder, path));
  syncPath(folder);
  return saved;
}

async function saveFile(target: Buffer, source: Buffer): Promise<SavedFile> {
  const stats = readStats(source);
  // A process that the step has left may have removed the file since it was found.
  if (!stats?.isFile() && !stats?.isSymbolicLink()) throw new TreeChangedError();
  if (stats.isSymbolicLink()) symlinkSync(readlinkSync(source, 'buffer'), target);
  else {
    copyFileSync(source, target, constants.COPYFILE_FICLONE);
    syncPath(target);
  }
  const { sha256 } = await readContent(target, stats);
  return { sha256, permissions: permissionsOf(stats), isLink: stats.isSymbolicLink() };
}

/** True if a saved file is as it was saved. Restores its permissions, which decide those of the merged file. */
export async function isAsSaved(file: Buffer, saved: SavedFile): Promise<boolean> {
  const stats = readStats(file);
  if (stats === undefined || stats.isSymbolicLink() !== saved.isLink) return false;
  if (!saved.isLink && !stats.isFile()) return false;
  if (!saved.isLink) chmodSync(file, saved.permissions | READABLE);
  const { sha256 } = await readContent(file, stats);
  if (!saved.isLink) chmodSync(file, saved.permissions);
  return sha256 === saved.sha256;
}

/** Makes a file or the entries of a folder durable. */
export function syncPath(path: Buffer | string): void {
  const file = openSync(path, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
