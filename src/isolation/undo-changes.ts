import { mkdirSync, renameSync, rmdirSync, unlinkSync } from 'node:fs';
import { type BytePath, foldersAbove, onDisk } from './byte-path.js';
import { isSameMark, lookAt, toMark } from './file-mark.js';
import type { JournalChange, MergeJournal } from './merge-journal.js';

/** Where the original of a change is kept. */
export function keptPath(stage: string, index: number): string {
  return `${stage}/old-${index}`;
}

/**
 * Takes back as much of a merge as was done, and may be called again. What somebody has changed since is left
 * alone; these paths are given back.
 */
export function undoChanges(journal: MergeJournal): BytePath[] {
  const { root, changes } = journal;
  const left: BytePath[] = [];
  const indexed = [...changes.entries()];
  // First what came, then what went: the one may lie in the place of the other.
  const written = indexed.filter(([, { staged }]) => staged !== undefined);
  const removed = indexed.filter(([, { staged }]) => staged === undefined);
  for (const [index, change] of written) {
    if (!undoWrite(journal, change, index)) left.push(change.path);
  }
  for (const folder of [...journal.newFolders].reverse()) {
    attempt(() => rmdirSync(onDisk(root, folder)));
  }
  for (const [index, change] of removed) {
    if (lookAt(onDisk(root, change.path)) !== undefined) continue;
    if (!restore(journal, change, index)) left.push(change.path);
  }
  return left;
}

/** False where the file is neither the original nor what we had put in its place. */
function undoWrite(journal: MergeJournal, change: JournalChange, index: number): boolean {
  const place = onDisk(journal.root, change.path);
  const there = lookAt(place);
  const mark = there && toMark(there);
  const isOurs = isSameMark(mark, change.staged);
  if (isOurs && change.original !== undefined) return restore(journal, change, index);
  if (change.replacesFolder) {
    if (isOurs) attempt(() => unlinkSync(place));
    return attempt(() => mkdirSync(place, { recursive: true }));
  }
  if (isOurs) return attempt(() => unlinkSync(place));
  if (there === undefined || isSameMark(mark, change.original)) return true;
  // Or it was restored before: then what was kept of it is used up.
  return change.original !== undefined && lookAt(keptPath(journal.stage, index)) === undefined;
}

function restore(journal: MergeJournal, { path }: JournalChange, index: number): boolean {
  const folder = foldersAbove(path).at(-1);
  return attempt(() => {
    if (folder !== undefined) mkdirSync(onDisk(journal.root, folder), { recursive: true });
    renameSync(keptPath(journal.stage, index), onDisk(journal.root, path));
  });
}

function attempt(action: () => void): boolean {
  try {
    action();
    return true;
  } catch {
    return false;
  }
}
