import {
  constants,
  copyFileSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmdirSync,
  symlinkSync,
  unlinkSync,
} from 'node:fs';
import { type BytePath, foldersAbove, onDisk } from './byte-path.js';
import { TreeChangedError, UnverifiedMergeError } from './check-changes.js';
import { isSameFileIdentity, toFileIdentity } from './file-identity.js';
import { type MergeJournal, removeJournal, writeJournal } from './merge-journal.js';
import { type StagedChange, stagedPath } from './stage-changes.js';
import { readEntry } from './tree-entry.js';
import { keptPath, undoChanges } from './undo-changes.js';

export interface ApplyOptions {
  readonly root: string;
  readonly stage: string;
  readonly journalFile: string;
  /** Folder that stays even if the merge removes its last file. */
  readonly keptFolder: BytePath;
}

export interface PreparedMerge {
  readonly journal: MergeJournal;
  /**
   * File operations in their order. After each of them, every file has its complete old or its complete new content.
   */
  readonly moves: readonly (() => void)[];
}

/**
 * Applies all changes or none: if one fails, the others are undone. All moves are synchronous, so that no other code of
 * this process sees half of a merge. The journal stays until the caller keeps the merge.
 */
export function applyChanges(changes: readonly StagedChange[], options: ApplyOptions): void {
  const { root, journalFile, keptFolder } = options;
  const { journal, moves } = prepareMerge(changes, options);
  try {
    for (const move of moves) move();
    const wrong = findUnverified(root, changes);
    if (wrong.length > 0) throw new UnverifiedMergeError(wrong);
  } catch (error) {
    // If the undo fails too, the journal and the originals stay, so that the next clean-up can try again.
    if (undoChanges(journal).failed.length === 0) removeJournal(journalFile);
    throw error;
  }
  removeEmptiedFolders(root, changes, keptFolder);
}

/** Keeps the originals and writes the journal. From then on `undoChanges` can revert the merge, even after a crash. */
export function prepareMerge(
  changes: readonly StagedChange[],
  { root, stage, journalFile }: ApplyOptions,
): PreparedMerge {
  const journal: MergeJournal = {
    root,
    stage,
    changes: changes.map(({ path, original, staged, replacesFolder }) => {
      return { path, original, staged, replacesFolder };
    }),
    newFolders: listNewFolders(root, changes),
  };
  for (const [index, change] of changes.entries()) keepOriginal(root, stage, change, index);
  writeJournal(journalFile, journal);
  const order = [...changes.entries()].sort(([, a], [, b]) => rank(a) - rank(b));
  const moves = order.map(
    ([index, change]) =>
      () =>
        moveToTarget(root, stage, change, index),
  );
  return { journal, moves };
}

/** Sorts removals before writes: a new file may replace a folder whose files are removed, or a new folder a file. */
function rank({ staged }: StagedChange): number {
  return staged === undefined ? 0 : 1;
}

function keepOriginal(root: string, stage: string, change: StagedChange, index: number): void {
  if (change.original === undefined) return;
  const target = onDisk(root, change.path);
  const kept = keptPath(stage, index);
  const there = readEntry(root, change.path);
  if (there === undefined) throw new TreeChangedError();
  if (there.isSymbolicLink()) {
    symlinkSync(readlinkSync(target, 'buffer'), kept);
    return;
  }
  try {
    linkSync(target, kept);
  } catch {
    // Hard links may be unsupported by the disk, or forbidden for files of other users: copy the file instead.
    copyFileSync(target, kept, constants.COPYFILE_FICLONE);
  }
}

function moveToTarget(root: string, stage: string, change: StagedChange, index: number): void {
  const { path, original, staged, replacesFolder } = change;
  const target = onDisk(root, path);
  const there = readEntry(root, path);
  const expected = there?.isDirectory() && replacesFolder ? undefined : there;
  if (!isSameFileIdentity(original, expected && toFileIdentity(expected)))
    throw new TreeChangedError();
  if (staged === undefined) {
    unlinkSync(target);
    return;
  }
  if (replacesFolder) removeEmptyFolder(target);
  const folder = foldersAbove(path).at(-1);
  if (folder !== undefined) mkdirSync(onDisk(root, folder), { recursive: true });
  // A link that the user has created meanwhile would lead the file out of the tree.
  if (folder !== undefined && !readEntry(root, folder)?.isDirectory()) throw new TreeChangedError();
  renameSync(stagedPath(stage, index), target);
}

/** Returns the paths that are not as the merge has left them: another file, or a file that should be gone. */
function findUnverified(root: string, changes: readonly StagedChange[]): BytePath[] {
  const knownFolders = new Set<BytePath>();
  const isAsMerged = ({ path, staged }: StagedChange): boolean => {
    const there = readEntry(root, path, knownFolders);
    if (staged === undefined) return there === undefined || there.isDirectory();
    return isSameFileIdentity(staged, there && toFileIdentity(there));
  };
  return changes.filter((change) => !isAsMerged(change)).map(({ path }) => path);
}

/** Removes a folder and the empty folders in it. Throws if the folder contains a file or a link. */
function removeEmptyFolder(folder: Buffer): void {
  for (const name of readdirSync(folder, 'latin1')) {
    removeEmptyFolder(Buffer.concat([folder, Buffer.from(`/${name}`, 'latin1')]));
  }
  rmdirSync(folder);
}

function listNewFolders(root: string, changes: readonly StagedChange[]): BytePath[] {
  const written = changes.filter(({ staged }) => staged !== undefined);
  const folders = new Set(written.flatMap(({ path }) => foldersAbove(path)));
  return [...folders].filter((folder) => !readEntry(root, folder)?.isDirectory());
}

/** Removes folders that have lost their last file, as git does. */
function removeEmptiedFolders(
  root: string,
  changes: readonly StagedChange[],
  keptFolder: BytePath,
): void {
  const removed = changes.filter(({ staged }) => staged === undefined);
  const folders = new Set(removed.flatMap(({ path }) => foldersAbove(path)));
  for (const folder of [...folders].sort().reverse()) {
    if (`${keptFolder}/`.startsWith(`${folder}/`)) continue;
    // The merge may have replaced a parent by a link: a folder behind the link is not part of the tree.
    if (!readEntry(root, folder)?.isDirectory()) continue;
    try {
      rmdirSync(onDisk(root, folder));
    } catch {
      // ENOTEMPTY or ENOENT: the folder is still in use or already removed.
    }
  }
}
