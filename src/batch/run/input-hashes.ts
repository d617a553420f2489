import type { ManifestFile } from '../../api/manifest.js';
import { readFileState } from '../../base/fs/fingerprint.js';
import { canonicalPath } from '../../base/fs/paths.js';
import type { InputHashes } from '../ledger/fold-ledger.js';

const NOTHING = 'none';

/** The files that a step depends on, as they are now, by canonical path. */
export async function hashInputs(paths: readonly string[]): Promise<InputHashes> {
  const hashes: Record<string, string> = {};
  for (const path of paths)
    hashes[canonicalPath(path)] = (await readFileState(path))?.sha256 ?? NOTHING;
  return hashes;
}

/** What a step has read, with its own changes: those are no reason to run it again. */
export function leaveInputs(read: InputHashes, files: readonly ManifestFile[]): InputHashes {
  const after = files.map(({ absolutePath, sha256After }): [string, string] => {
    return [canonicalPath(absolutePath), sha256After ?? NOTHING];
  });
  return { ...read, ...Object.fromEntries(after.filter(([path]) => Object.hasOwn(read, path))) };
}

/**
 * Whether the inputs of a finished step are as it has left them. What a step of the batch has done to them since,
 * or has made or removed, does not count: that happened after the step, and by the same plan.
 */
export function areInputsUnchanged(
  now: InputHashes,
  left: InputHashes,
  writtenByBatch: ReadonlyMap<string, string | undefined>,
): boolean {
  const paths = new Set([...Object.keys(now), ...Object.keys(left)]);
  return [...paths].every((path) => {
    const present = now[path] ?? NOTHING;
    if (present === (left[path] ?? NOTHING)) return true;
    return writtenByBatch.has(path) && (writtenByBatch.get(path) ?? NOTHING) === present;
  });
}
