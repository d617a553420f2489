import { readdirSync } from 'node:fs';
import { type BytePath, foldersAbove, onDisk } from './byte-path.js';
import {
  type FileIdentity,
  hasSameContent,
  isSameFileIdentity,
  readStats,
  toFileIdentity,
} from './file-identity.js';

/** Planned change of one path. */
export interface TreeChange {
  readonly path: BytePath;
  /** Path of the new file or link before the merge; absent if the path is to be removed. */
  readonly source?: Buffer | undefined;
  /** True if the path should not exist yet. A file that exists there anyway is not overwritten. */
  readonly isNew: boolean;
  /** File that the change was planned for; if absent, any present file is accepted. */
  readonly expected?: FileIdentity | undefined;
}

/** Thrown if a file has changed since the merge was planned. No change is applied then. */
export class TreeChangedError extends Error {
  override readonly name = 'TreeChangedError';
}

export interface CheckedChange extends TreeChange {
  /** File that will be replaced or removed. */
  readonly original?: FileIdentity | undefined;
  /** True if the path is a folder that contains no files after the other changes. */
  readonly replacesFolder: boolean;
}

export interface CheckedChanges {
  readonly changes: readonly CheckedChange[];
  /** Paths that block a change. */
  readonly occupied: readonly BytePath[];
}

/** Checks every path before any is touched. Changes whose result is already there drop out. */
export function checkChanges(root: string, changes: readonly TreeChange[]): CheckedChanges {
  const removed = new Set(
    changes.filter(({ source }) => source === undefined).map(({ path }) => path),
  );
  const checked: CheckedChange[] = [];
  const occupied = new Set<BytePath>();
  const knownFolders = new Set<BytePath>();
  for (const change of changes) {
    const { path, source } = change;
    const target = onDisk(root, path);
    const inTheWay = foldersAbove(path).find((folder) => {
      return !removed.has(folder) && !isFolderOrNothing(root, folder, knownFolders);
    });
    if (inTheWay !== undefined) {
      // For a deletion there is nothing to do: a parent folder has become a file, so the path no longer exists.
      if (source !== undefined) occupied.add(inTheWay);
      continue;
    }
    const there = readStats(target);
    if (there === undefined || (there.isDirectory() && source === undefined)) {
      if (source !== undefined) checked.push({ ...change, replacesFolder: false });
    } else if (there.isDirectory()) {
      if (isLeftEmpty(root, path, removed)) checked.push({ ...change, replacesFolder: true });
      else occupied.add(path);
    } else if (!there.isFile() && !there.isSymbolicLink()) {
      occupied.add(path);
    } else if (!change.isNew) {
      const original = toFileIdentity(there);
      const { expected = original } = change;
      if (!isSameFileIdentity(expected, original)) throw new TreeChangedError();
      checked.push({ ...change, original, replacesFolder: false });
    } else if (source !== undefined && !hasSameContent(source, target)) {
      occupied.add(path);
    }
  }
  return { changes: checked, occupied: [...occupied] };
}

function isFolderOrNothing(root: string, folder: BytePath, known: Set<BytePath>): boolean {
  if (known.has(folder)) return true;
  const there = readStats(onDisk(root, folder));
  if (there === undefined || there.isDirectory()) known.add(folder);
  return known.has(folder);
}

function isLeftEmpty(root: string, folder: BytePath, removed: ReadonlySet<BytePath>): boolean {
  const entries = readdirSync(onDisk(root, folder), { withFileTypes: true, encoding: 'latin1' });
  return entries.every((entry) => {
    const path = `${folder}/${entry.name}`;
    return entry.isDirectory() ? isLeftEmpty(root, path, removed) : removed.has(path);
  });
}
