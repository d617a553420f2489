import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { realpathOf } from '../../base/fs/paths.js';
import { statIfThere } from '../../base/fs/stats.js';
import { readSealedFile, writeSealedFile } from './sealed-file.js';
import { nameOfState } from './state-folder.js';

const FILE = 'folders.json';
const schema = z.object({
  out: z.string(),
  device: z.number(),
  workingDirs: z.array(z.string()),
});

/** Folders outside of the state folder that belong to a batch. */
export interface FoldersRecord {
  /** Canonical path of the output folder. */
  readonly out: string;
  /** Device of the folder that contains the output folder: another one there means that a disk is not mounted. */
  readonly device: number;
  /** Working directories of the last plan. */
  readonly workingDirs: readonly string[];
}

/** Names of files that a removed state folder keeps until the end: they prove whose folder it is. */
export const PROOF_FILES: readonly string[] = ['key', FILE];

/** Writes the folders of a batch into its state folder, so that a clean-up knows them without the plan. */
export function writeFoldersRecord(
  stateDir: string,
  out: string,
  workingDirs: Iterable<string>,
): void {
  const real = realpathOf(out);
  const device = statIfThere(dirname(real))?.dev ?? 0;
  const record: FoldersRecord = { out: real, device, workingDirs: [...workingDirs] };
  writeSealedFile(join(stateDir, FILE), record);
}

/**
 * Reads the folders of a batch. Undefined if the record is missing, damaged, signed with another key, or names an output
 * folder that has another state folder: a copy of a state folder is not believed.
 */
export function readFoldersRecord(
  stateDir: string,
  name: string = basename(stateDir),
): FoldersRecord | undefined {
  const read = readSealedFile(join(stateDir, FILE));
  const record = read.kind === 'valid' ? schema.safeParse(read.value).data : undefined;
  if (record === undefined) return undefined;
  return nameOfState(record.out) === name ? record : undefined;
}
