import { rmSync } from 'node:fs';
import { z } from 'zod';
import { readSealedFile, writeSealedFile } from '../state/sealed-file.js';
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

/** A path below `root`: relative, and without `.` and `..`, so that it cannot lead out of the folder by its names. */
const path = z
  .string()
  .refine((value) => value.split('/').every((name) => !['', '.', '..'].includes(name)));
const identity = z.object({ inode: z.string(), bytes: z.string(), modifiedNs: z.string() });
const schema = z.object({
  root: z.string(),
  stage: z.string(),
  changes: z.array(
    z.object({
      path,
      original: identity.optional(),
      staged: identity.optional(),
      replacesFolder: z.boolean(),
    }),
  ),
  newFolders: z.array(path),
});

/** Writes the journal atomically, by a rename, and signed. */
export function writeJournal(file: string, journal: MergeJournal): void {
  writeSealedFile(file, journal);
}

export function removeJournal(file: string): void {
  rmSync(file, { force: true });
}

/** Reads the journal. Returns undefined if there is no merge to undo, or if the journal is damaged or not signed. */
export function readJournal(file: string): MergeJournal | undefined {
  const read = readSealedFile(file);
  return read.kind === 'valid' ? schema.safeParse(read.value).data : undefined;
}
