import { mkdirSync, renameSync, rmdirSync, unlinkSync } from 'node:fs';
import { type BytePath, foldersAbove, onDisk } from './byte-path.js';
import { isSameFileIdentity, readFileIdentity, toFileIdentity } from './file-identity.js';
import type { JournalChange, MergeJournal } from './merge-journal.js';

/** Where the original of a change is kept. */
export function keptPath(stage: string, index: number): string {
  return `${stage}/old-${index}`;
}

export interface Undoing {
  /** Left alone, because somebody has changed them since. */
  readonly left: readonly BytePath[];
  /** Not restored, because the disk fails. The originals must be kept. */
  readonly failed: readonly BytePath[];
}

type Undone = 'done' | 'left' | 'failed';

/** Takes back as much of a merge as was done. May be called again. */
export function undoChanges(journal: MergeJournal): Undoing {
  const { root, changes } = journal;
  const outcomes: { readonly path: BytePath; readonly outcome: Undone }[] = [];
  const indexed = [...changes.entries()];
  // First what came, then what went: the one may lie in the place of the other.
  const written = indexed.filter(([, { staged }]) => staged !== undefined);
  const removed = indexed.filter(([, { staged }]) => staged === undefined);
  for (const [index, change] of written) {
    outcomes.push({ path: change.path, outcome: undoWrite(journal, change, index) });
  }
  for (const folder of [...journal.newFolders].reverse()) {
    tryTo(() => rmdirSync(onDisk(root, folder)));
  }
  for (const [index, change] of removed) {
    if (readFileIdentity(onDisk(root, change.path)) !== undefined) continue;
    outcomes.push({ path: change.path, outcome: restore(journal, change, index) });
  }
  const select = (wanted: Undone): BytePath[] => {
    return outcomes.filter(({ outcome }) => outcome === wanted).map(({ path }) => path);
  };
  return { left: select('left'), failed: select('failed') };
}

/** Only what we had put in the place of the original is ours to take away. */
function undoWrite(journal: MergeJournal, change: JournalChange, index: number): Undone {
  const target = onDisk(journal.root, change.path);
  const there = readFileIdentity(target);
  const mark = there && toFileIdentity(there);
  const isOurs = isSameFileIdentity(mark, change.staged);
  if (isOurs && change.original !== undefined) return restore(journal, change, index);
  if (isOurs && tryTo(() => unlinkSync(target)) === 'failed') return 'failed';
  if (change.replacesFolder && (isOurs || there === undefined)) {
    return tryTo(() => mkdirSync(target, { recursive: true }));
  }
  if (isOurs || (change.replacesFolder && there?.isDirectory())) return 'done';
  if (there === undefined || isSameFileIdentity(mark, change.original)) return 'done';
  // Or it was restored before: then what was kept of it is used up.
  const isKept = readFileIdentity(keptPath(journal.stage, index)) !== undefined;
  return change.original !== undefined && !isKept ? 'done' : 'left';
}

function restore(journal: MergeJournal, { path }: JournalChange, index: number): Undone {
  const folder = foldersAbove(path).at(-1);
  const kept = keptPath(journal.stage, index);
  if (readFileIdentity(kept) === undefined) return 'left';
  return tryTo(() => {
    if (folder !== undefined) mkdirSync(onDisk(journal.root, folder), { recursive: true });
    renameSync(kept, onDisk(journal.root, path));
  });
}

function tryTo(action: () => void): Undone {
  try {
    action();
    return 'done';
  } catch {
    return 'failed';
  }
}
