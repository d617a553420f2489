import { mkdirSync, renameSync, rmdirSync, unlinkSync } from 'node:fs';
import { type BytePath, foldersAbove, onDisk } from './byte-path.js';
import { isSameFileIdentity, readStats, toFileIdentity } from './file-identity.js';
import type { JournalChange, MergeJournal } from './merge-journal.js';
import { readEntry } from './tree-entry.js';

/** Returns the path of the original of a change in the staging folder. */
export function keptPath(stage: string, index: number): string {
  return `${stage}/old-${index}`;
}

export interface UndoResult {
  /** Paths that were not reverted, because another program has changed them since the merge. */
  readonly left: readonly BytePath[];
  /** Paths that could not be restored because of disk errors. The originals must be kept. */
  readonly failed: readonly BytePath[];
}

type UndoState = 'done' | 'left' | 'failed';

/** Reverts a merge as far as it was applied. Can be called again. */
export function undoChanges(journal: MergeJournal): UndoResult {
  const { root, changes } = journal;
  const outcomes: { readonly path: BytePath; readonly outcome: UndoState }[] = [];
  const indexed = [...changes.entries()];
  // Written files are removed before removed files are restored, because one may have replaced the other.
  const written = indexed.filter(([, { staged }]) => staged !== undefined);
  const removed = indexed.filter(([, { staged }]) => staged === undefined);
  for (const [index, change] of written) {
    outcomes.push({ path: change.path, outcome: undoWrite(journal, change, index) });
  }
  for (const folder of [...journal.newFolders].reverse()) {
    if (!leadsThroughLink(root, folder)) tryTo(() => rmdirSync(onDisk(root, folder)));
  }
  for (const [index, change] of removed) {
    if (leadsThroughLink(root, change.path)) {
      outcomes.push({ path: change.path, outcome: 'left' });
      continue;
    }
    if (readEntry(root, change.path) !== undefined) continue;
    outcomes.push({ path: change.path, outcome: restore(journal, change, index) });
  }
  const select = (wanted: UndoState): BytePath[] => {
    return outcomes.filter(({ outcome }) => outcome === wanted).map(({ path }) => path);
  };
  return { left: select('left'), failed: select('failed') };
}

/** Reverts a written file, unless another program has changed it since the merge. */
function undoWrite(journal: MergeJournal, change: JournalChange, index: number): UndoState {
  const target = onDisk(journal.root, change.path);
  if (leadsThroughLink(journal.root, change.path)) {
    return change.original === undefined ? 'done' : 'left';
  }
  const there = readEntry(journal.root, change.path);
  const identity = there && toFileIdentity(there);
  const isOurs = isSameFileIdentity(identity, change.staged);
  if (isOurs && change.original !== undefined) return restore(journal, change, index);
  if (isOurs && tryTo(() => unlinkSync(target)) === 'failed') return 'failed';
  if (change.replacesFolder && (isOurs || there === undefined)) {
    return tryTo(() => mkdirSync(target, { recursive: true }));
  }
  if (isOurs || (change.replacesFolder && there?.isDirectory())) return 'done';
  if (there === undefined || isSameFileIdentity(identity, change.original)) return 'done';
  // If the kept original is missing, an earlier call has already restored it.
  const isKept = readStats(keptPath(journal.stage, index)) !== undefined;
  return change.original !== undefined && !isKept ? 'done' : 'left';
}

/**
 * True if a folder above the path is a link. A merge writes through no link, so the path has been replaced since, or the
 * merge has not come to it yet: the path leads to files that are not those of the merge.
 */
function leadsThroughLink(root: string, path: BytePath): boolean {
  return foldersAbove(path).some((folder) => readStats(onDisk(root, folder))?.isSymbolicLink());
}

function restore(journal: MergeJournal, { path }: JournalChange, index: number): UndoState {
  const folder = foldersAbove(path).at(-1);
  const kept = keptPath(journal.stage, index);
  if (readStats(kept) === undefined) return 'left';
  return tryTo(() => {
    if (folder !== undefined) mkdirSync(onDisk(journal.root, folder), { recursive: true });
    renameSync(kept, onDisk(journal.root, path));
  });
}

function tryTo(action: () => void): UndoState {
  try {
    action();
    return 'done';
  } catch {
    return 'failed';
  }
}
