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
import { TreeMovedOnError } from './check-changes.js';
import { isSameFileIdentity, readFileIdentity, toFileIdentity } from './file-identity.js';
import { type MergeJournal, removeJournal, writeJournal } from './merge-journal.js';
import { type StagedChange, stagedPath } from './stage-changes.js';
import { keptPath, undoChanges } from './undo-changes.js';

export interface ApplyOptions {
  readonly root: string;
  readonly stage: string;
  readonly journalFile: string;
  /** A folder that stays although nothing is left in it. */
  readonly keptFolder: BytePath;
}

export interface PreparedMerge {
  readonly journal: MergeJournal;
  /** Each leaves every file whole: as it was or as it is to be. */
  readonly moves: readonly (() => void)[];
}

/**
 * Moves everything into place, or nothing: what has been done is undone where one of them fails. All in one go,
 * so that nobody in this process sees half of it. The journal stays until somebody says that the merge stands.
 */
export function applyChanges(changes: readonly StagedChange[], options: ApplyOptions): void {
  const { root, journalFile, keptFolder } = options;
  const { journal, moves } = prepareMerge(changes, options);
  try {
    for (const move of moves) move();
  } catch (error) {
    // Otherwise the journal stays, and with it the originals: whoever cleans up tries once more.
    if (undoChanges(journal).failed.length === 0) removeJournal(journalFile);
    throw error;
  }
  removeEmptiedFolders(root, changes, keptFolder);
}

/** Keeps the originals and writes the journal: from here on, everything can be taken back by whoever reads it. */
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

/** What goes makes room for what comes: a file may take the place of a folder, and the other way round. */
function rank({ staged }: StagedChange): number {
  return staged === undefined ? 0 : 1;
}

function keepOriginal(root: string, stage: string, change: StagedChange, index: number): void {
  if (change.original === undefined) return;
  const target = onDisk(root, change.path);
  const kept = keptPath(stage, index);
  const there = readFileIdentity(target);
  if (there === undefined) throw new TreeMovedOnError();
  if (there.isSymbolicLink()) {
    symlinkSync(readlinkSync(target, 'buffer'), kept);
    return;
  }
  try {
    linkSync(target, kept);
  } catch {
    // A disk without hard links, or a file of somebody else.
    copyFileSync(target, kept, constants.COPYFILE_FICLONE);
  }
}

function moveToTarget(root: string, stage: string, change: StagedChange, index: number): void {
  const { path, original, staged, replacesFolder } = change;
  const target = onDisk(root, path);
  const there = readFileIdentity(target);
  const expected = there?.isDirectory() && replacesFolder ? undefined : there;
  if (!isSameFileIdentity(original, expected && toFileIdentity(expected)))
    throw new TreeMovedOnError();
  if (staged === undefined) {
    unlinkSync(target);
    return;
  }
  if (replacesFolder) removeEmptyFolder(target);
  const folder = foldersAbove(path).at(-1);
  if (folder !== undefined) mkdirSync(onDisk(root, folder), { recursive: true });
  renameSync(stagedPath(stage, index), target);
}

/** Fails where there is anything else than folders in it. */
function removeEmptyFolder(folder: Buffer): void {
  for (const name of readdirSync(folder, 'latin1')) {
    removeEmptyFolder(Buffer.concat([folder, Buffer.from(`/${name}`, 'latin1')]));
  }
  rmdirSync(folder);
}

function listNewFolders(root: string, changes: readonly StagedChange[]): BytePath[] {
  const written = changes.filter(({ staged }) => staged !== undefined);
  const folders = new Set(written.flatMap(({ path }) => foldersAbove(path)));
  return [...folders].filter((folder) => !readFileIdentity(onDisk(root, folder))?.isDirectory());
}

/** As git does it: a folder goes with its last file. */
function removeEmptiedFolders(
  root: string,
  changes: readonly StagedChange[],
  keptFolder: BytePath,
): void {
  const removed = changes.filter(({ staged }) => staged === undefined);
  const folders = new Set(removed.flatMap(({ path }) => foldersAbove(path)));
  for (const folder of [...folders].sort().reverse()) {
    if (`${keptFolder}/`.startsWith(`${folder}/`)) continue;
    try {
      rmdirSync(onDisk(root, folder));
    } catch {
      // Not empty, or somebody was faster.
    }
  }
}
