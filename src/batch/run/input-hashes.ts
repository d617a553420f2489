import type { ManifestFile } from '../../api/manifest.js';
import { toProviderError } from '../../base/errors/unexpected-error.js';
import { readFileState } from '../../base/fs/fingerprint.js';
import { canonicalPath } from '../../base/fs/paths.js';
import type { InputHashes } from '../ledger/ledger-step-state.js';

const NOTHING = 'none';

/**
 * Hashes the present content of the files that a step depends on, by canonical path. Throws CANCELLED if the signal is
 * aborted.
 */
export async function hashInputs(
  paths: readonly string[],
  signal?: AbortSignal,
): Promise<InputHashes> {
  const hashes: Record<string, string> = {};
  try {
    for (const path of paths) {
      signal?.throwIfAborted();
      hashes[canonicalPath(path)] = (await readFileState(path, signal))?.sha256 ?? NOTHING;
    }
  } catch (error) {
    throw toProviderError(error, signal);
  }
  return hashes;
}

/** Replaces the hashes of inputs that the step itself has changed, so that its own changes do not make it run again. */
export function updateInputHashes(read: InputHashes, files: readonly ManifestFile[]): InputHashes {
  const after = files.map(({ absolutePath, sha256After }): [string, string] => {
    return [canonicalPath(absolutePath), sha256After ?? NOTHING];
  });
  return { ...read, ...Object.fromEntries(after.filter(([path]) => Object.hasOwn(read, path))) };
}

/** True if the inputs of a finished step are as the step has left them. */
export function areInputsUnchanged(
  now: InputHashes,
  left: InputHashes,
  writtenByBatch: ReadonlyMap<string, string | undefined>,
): boolean {
  return findChangedInputs(now, left, writtenByBatch).length === 0;
}

/**
 * Lists the inputs of a finished step that are not as the step has left them. Later changes by steps of the same batch are
 * ignored, created and removed files included: they follow from the same plan.
 */
export function findChangedInputs(
  now: InputHashes,
  left: InputHashes,
  writtenByBatch: ReadonlyMap<string, string | undefined>,
): string[] {
  const paths = new Set([...Object.keys(now), ...Object.keys(left)]);
  return [...paths].filter((path) => {
    const present = now[path] ?? NOTHING;
    if (present === (left[path] ?? NOTHING)) return false;
    return !writtenByBatch.has(path) || (writtenByBatch.get(path) ?? NOTHING) !== present;
  });
}
