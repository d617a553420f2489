import { type FileState, readFileState } from '../../base/fs/fingerprint.js';
import { lstatIfThere } from '../../base/fs/stats.js';

/** State of a file after the step, or its size alone if the time of the step was over before the file was read. */
export type StateAfter =
  | { readonly isRead: true; readonly state: FileState | undefined }
  | { readonly isRead: false; readonly bytes: number };

/** Reads the state of a file after the step. Never throws for an aborted signal: the manifest still names the file. */
export async function readStateAfter(
  path: string,
  signal: AbortSignal | undefined,
): Promise<StateAfter> {
  try {
    signal?.throwIfAborted();
    return { isRead: true, state: await readFileState(path, signal) };
  } catch (error) {
    if (!signal?.aborted) throw error;
    return { isRead: false, bytes: lstatIfThere(path)?.size ?? 0 };
  }
}
