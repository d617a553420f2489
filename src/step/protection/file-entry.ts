import type { Stats } from 'node:fs';
import { chmod, lstat, mkdir, readlink, rm, symlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type FileState, fileStateOf, sha256 } from '../../base/fs/fingerprint.js';
import { readRegularFile } from '../../base/fs/regular-file.js';
import { writeAtomically } from '../../base/fs/write-atomically.js';

/** Size up to which a protected file is kept, so that it can be restored. */
const LARGEST_KEPT_BYTES = 1024 * 1024;
const READ_AT_ONCE = 16;

/** A file, link or other entry of a folder at one moment. */
export interface FileEntry {
  readonly stats: Stats;
  /** State of a file or link; undefined if it is too large, not readable, or neither of both. */
  readonly state: FileState | undefined;
  /** Target of a link. */
  readonly target?: string | undefined;
}

/** Reads an entry. Undefined if nothing is there. */
export async function readFileEntry(path: string): Promise<FileEntry | undefined> {
  const stats = await lstat(path).catch(() => undefined);
  if (stats === undefined) return undefined;
  if (stats.isSymbolicLink()) {
    const target = await readlink(path).catch(() => '');
    return { stats, target, state: { bytes: target.length, sha256: sha256(target) } };
  }
  if (!stats.isFile() || stats.size > LARGEST_KEPT_BYTES) return { stats, state: undefined };
  const content = await readRegularFile(path).catch(() => undefined);
  return { stats, state: content && fileStateOf(content) };
}

/** Reads entries by path, several at a time: on a slow file system each takes its time. Missing ones are left out. */
export async function readFileEntries(
  paths: readonly string[],
  signal?: AbortSignal,
): Promise<Map<string, FileEntry>> {
  const entries = new Map<string, FileEntry>();
  for (let at = 0; at < paths.length; at += READ_AT_ONCE) {
    signal?.throwIfAborted();
    const some = paths.slice(at, at + READ_AT_ONCE);
    const read = await Promise.all(some.map(readFileEntry));
    for (const [index, path] of some.entries()) {
      const entry = read[index];
      if (entry !== undefined) entries.set(path, entry);
    }
  }
  return entries;
}

/** True if both entries have the same kind, content and permissions. */
export function isSameEntry(a: FileEntry, b: FileEntry): boolean {
  if (a.stats.mode !== b.stats.mode) return false;
  if (a.state === undefined || b.state === undefined) {
    return a.stats.size === b.stats.size && a.stats.mtimeMs === b.stats.mtimeMs;
  }
  return a.state.sha256 === b.state.sha256;
}

/** Writes the entry back, or removes what is there if there was nothing. Returns false if the content was not kept. */
export async function restoreFileEntry(
  path: string,
  entry: FileEntry | undefined,
): Promise<boolean> {
  if (entry === undefined) {
    await rm(path, { recursive: true, force: true });
    return true;
  }
  const content = entry.state?.content;
  if (entry.target === undefined && content === undefined) return false;
  const present = await lstat(path).catch(() => undefined);
  if (present !== undefined && !present.isFile()) await rm(path, { recursive: true, force: true });
  await mkdir(dirname(path), { recursive: true });
  if (entry.target !== undefined) {
    await rm(path, { force: true });
    await symlink(entry.target, path);
  } else if (content !== undefined) {
    await writeAtomically(path, content, 0o600);
    await chmod(path, entry.stats.mode & 0o7777);
  }
  return true;
}
