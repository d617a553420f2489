import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import type { BytePath } from './byte-path.js';
import type { FileIdentity } from './file-identity.js';

export interface JournalChange {
  readonly path: BytePath;
  readonly original?: FileIdentity | undefined;
  readonly staged?: FileIdentity | undefined;
  readonly replacesFolder: boolean;
}

/** Data to undo a merge. The journal file exists from before the first move until the merge is kept or reverted. */
export interface MergeJournal {
  readonly root: string;
  /** Staging folder, which contains the originals. */
  readonly stage: string;
  readonly changes: readonly JournalChange[];
  /** Folders that the merge creates, outermost first. */
  readonly newFolders: readonly BytePath[];
}

/** Writes the journal atomically, by a rename. */
export function writeJournal(file: string, journal: MergeJournal): void {
  writeFileSync(`${file}.new`, JSON.stringify(journal));
  renameSync(`${file}.new`, file);
}

export function removeJournal(file: string): void {
  rmSync(file, { force: true });
}

/** Reads the journal. Returns undefined if there is no merge to undo. */
export function readJournal(file: string): MergeJournal | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return isJournal(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isJournal(value: unknown): value is MergeJournal {
  if (typeof value !== 'object' || value === null) return false;
  if (!('root' in value && 'stage' in value && 'changes' in value && 'newFolders' in value)) {
    return false;
  }
  const isText = typeof value.root === 'string' && typeof value.stage === 'string';
  return isText && Array.isArray(value.changes) && Array.isArray(value.newFolders);
}
