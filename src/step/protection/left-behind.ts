import { isInside } from '../../base/fs/paths.js';
import { readFileEntry } from './file-entry.js';
import type { FileHashes, StepRecord } from './step-record.js';

/**
 * Compares the protected files with those before a step that did not end: its process was killed, or the file system did
 * not answer.
 *
 * @param present hashes of the protected files of the same search
 */
export async function findLeftBehind(
  { before = {}, workspace }: StepRecord,
  present: FileHashes,
): Promise<FileHashes> {
  const changed: Record<string, string | null> = {};
  for (const [path, hash] of Object.entries(before)) {
    const now = path in present ? present[path] : await hashOf(path);
    if (now !== hash) changed[path] = now ?? null;
  }
  for (const [path, hash] of Object.entries(present)) {
    // Files outside of the workspace belong to the configuration, which may differ between two steps.
    if (!(path in before) && isInside(workspace, path)) changed[path] = hash;
  }
  return changed;
}

/** Undefined if there is no file; null if the file cannot be hashed. */
async function hashOf(path: string): Promise<string | null | undefined> {
  const entry = await readFileEntry(path);
  return entry === undefined ? undefined : (entry.state?.sha256 ?? null);
}
