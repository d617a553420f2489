import { readdirSync } from 'node:fs';
import { type BytePath, foldersAbove, onDisk } from './byte-path.js';
import {
  type FileIdentity,
  holdSame,
  isSameFileIdentity,
  readFileIdentity,
  toFileIdentity,
} from './file-identity.js';

/** What is to be done at one path of a folder. */
export interface TreeChange {
  readonly path: BytePath;
  /** Where the new file or link lies by now; absent: there is to be nothing. */
  readonly source?: Buffer | undefined;
  /** Nothing is known to be there: what lies there all the same is not ours to overwrite. */
  readonly isNew: boolean;
  /** What the change was made for; whatever is there by then, where absent. */
  readonly expected?: FileIdentity | undefined;
}

/** Thrown where a file is no longer what the merge was made for. Then nothing has changed. */
export class TreeMovedOnError extends Error {
  override readonly name = 'TreeMovedOnError';
}

export interface CheckedChange extends TreeChange {
  /** The file that will be replaced or removed. */
  readonly original?: FileIdentity | undefined;
  /** Only folders lie there, with nothing in them once the other changes are made. */
  readonly replacesFolder: boolean;
}

export interface CheckedChanges {
  readonly changes: readonly CheckedChange[];
  /** Paths that are in the way. */
  readonly occupied: readonly BytePath[];
}

/** Looks at every path before any is touched. What is there already as it should be drops out. */
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
      // A file that is to go and whose folder is a file by now has gone.
      if (source !== undefined) occupied.add(inTheWay);
      continue;
    }
    const there = readFileIdentity(target);
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
      if (!isSameFileIdentity(expected, original)) throw new TreeMovedOnError();
      checked.push({ ...change, original, replacesFolder: false });
    } else if (source !== undefined && !holdSame(source, target)) {
      occupied.add(path);
    }
  }
  return { changes: checked, occupied: [...occupied] };
}

function isFolderOrNothing(root: string, folder: BytePath, known: Set<BytePath>): boolean {
  if (known.has(folder)) return true;
  const there = readFileIdentity(onDisk(root, folder));
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
