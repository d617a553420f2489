import type { InputHashes } from '../ledger/fold-ledger.js';
import { readFileState } from '../manifest/fingerprint.js';

const NOTHING = 'none';

/** The files that a step depends on, as they are now. */
export async function hashInputs(paths: readonly string[]): Promise<InputHashes> {
  const hashes: Record<string, string> = {};
  for (const path of paths) hashes[path] = (await readFileState(path))?.sha256 ?? NOTHING;
  return hashes;
}

/**
 * Whether the inputs of a finished step are as it has left them. What another step of the batch has done to them
 * since does not count: that happened after the step, and by the same plan.
 */
export function areInputsUnchanged(
  now: InputHashes,
  left: InputHashes,
  writtenByBatch: ReadonlyMap<string, string | undefined>,
): boolean {
  const paths = Object.keys(now);
  if (paths.length !== Object.keys(left).length) return false;
  return paths.every((path) => {
    const isByBatch =
      writtenByBatch.has(path) && (writtenByBatch.get(path) ?? NOTHING) === now[path];
    return left[path] === now[path] || (left[path] !== undefined && isByBatch);
  });
}
