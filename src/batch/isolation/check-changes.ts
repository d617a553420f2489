import { readdirSync } from 'node:fs';
import { type BytePath, foldersAbove, onDisk } from './byte-path.js';
import {
  type FileIdentity,
  hasSameContent,
  isSameFileIdentity,
  readStats,
  toFileIdentity,
} from './file-identity.js';
import { readEntry } from './tree-entry.js';

/** Planned change of one path. */
export interface TreeChange {
  readonly path: BytePath;
  /** Path of the new file or link before the merge; absent if the path is to be removed. */
  readonly source?: Buffer | undefined;
  /** True if the path should not exist yet. A file that exists there anyway is not overwritten. */
  readonly isNew: boolean;
  /** File that the change was planned for; if absent, any present file is accepted. */
  readonly expected?: FileIdentity | undefined;
  /** Permissions of the new file. If absent, those of the original with the execute bits of the source. */
  readonly permissions?: number | undefined;
}

/** Thrown if a file has changed since the merge was planned. No change is applied then. */
export class TreeChangedError extends Error {
  override readonly name: string = 'TreeChangedError';
}

/** Thrown if the files on the disk are not as the merge has written them. The merge is undone then. */
export class UnverifiedMergeError extends TreeChangedError {
  override readonly name = 'UnverifiedMergeError';
  readonly paths: readonly BytePath[];

  constructor(paths: readonly BytePath[]) {
    super();
    this.paths = paths;
  }
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

/**
 * Checks every path against the tree as it will be after the merge, before any path is touched. Changes whose result
 * is already there drop out.
 */
export function checkChanges(root: string, changes: readonly TreeChange[]): CheckedChanges {
  const tree = new FutureTree(root, changes);
  const checked: CheckedChange[] = [];
  const occupied = new Set<BytePath>();
  for (const change of changes) {
    const { path, source, expected } = change;
    const blocking = source === undefined ? undefined : tree.findBlocking(path);
    if (blocking !== undefined) {
      occupied.add(blocking);
      continue;
    }
    const there = tree.readPresent(path);
    if (there === undefined || (there.isDirectory() && source === undefined)) {
      if (expected !== undefined) throw new TreeChangedError();
      if (source !== undefined) checked.push({ ...change, replacesFolder: false });
    } else if (there.isDirectory()) {
      if (tree.isLeftEmpty(path)) checked.push({ ...change, replacesFolder: true });
      else occupied.add(path);
    } else if (!there.isFile() && !there.isSymbolicLink()) {
      occupied.add(path);
    } else if (!change.isNew) {
      const original = toFileIdentity(there);
      if (!isSameFileIdentity(expected ?? original, original)) throw new TreeChangedError();
      checked.push({ ...change, original, replacesFolder: false });
    } else if (source !== undefined && !hasSameContent(source, onDisk(root, path))) {
      occupied.add(path);
    }
  }
  return { changes: checked, occupied: [...occupied] };
}

/** The present tree together with the changes of a merge. Looks through no link. */
class FutureTree {
  readonly #root: string;
  readonly #removed: ReadonlySet<BytePath>;
  readonly #written: ReadonlySet<BytePath>;
  readonly #knownFolders = new Set<BytePath>();

  constructor(root: string, changes: readonly TreeChange[]) {
    const pathsOf = (selected: readonly TreeChange[]): Set<BytePath> => {
      return new Set(selected.map(({ path }) => path));
    };
    this.#root = root;
    this.#removed = pathsOf(changes.filter(({ source }) => source === undefined));
    this.#written = pathsOf(changes.filter(({ source }) => source !== undefined));
  }

  /** Reads an entry of the tree as it is now. Undefined behind a link, also behind one that the merge removes. */
  readPresent(path: BytePath): ReturnType<typeof readStats> {
    return readEntry(this.#root, path, this.#knownFolders);
  }

  /** Returns the parent that is not a folder after the merge: a file or link that stays, or that the merge writes. */
  findBlocking(path: BytePath): BytePath | undefined {
    const folders = foldersAbove(path);
    const written = folders.find((folder) => this.#written.has(folder));
    if (written !== undefined) return written;
    for (const folder of folders) {
      if (this.#knownFolders.has(folder)) continue;
      const there = readStats(onDisk(this.#root, folder));
      if (there?.isDirectory()) this.#knownFolders.add(folder);
      // Nothing is below a parent that does not exist, and nothing stays below a link that the merge removes.
      else return there === undefined || this.#removed.has(folder) ? undefined : folder;
    }
    return undefined;
  }

  /** True if the merge removes every file and link in the folder. */
  isLeftEmpty(folder: BytePath): boolean {
    const target = onDisk(this.#root, folder);
    const entries = readdirSync(target, { withFileTypes: true, encoding: 'latin1' });
    return entries.every((entry) => {
      const path = `${folder}/${entry.name}`;
      return entry.isDirectory() ? this.isLeftEmpty(path) : this.#removed.has(path);
    });
  }
}
