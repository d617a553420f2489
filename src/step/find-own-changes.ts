import type { CheckSideEffects } from './check-side-effects.js';
import { addFailedWrites, type FailedWritesRequest } from './manifest/failed-writes.js';
import type { WorkspaceChange } from './manifest/workspace-change.js';

/**
 * Leaves out the changes that commands of a check have made, and adds those of failed writes. An abort leaves the compared
 * changes as they are.
 */
export async function findOwnChanges(
  compared: readonly WorkspaceChange[] | undefined,
  sideEffects: CheckSideEffects,
  request: FailedWritesRequest,
): Promise<readonly WorkspaceChange[]> {
  const { signal } = request;
  try {
    const others = await sideEffects.removeFrom(compared, signal);
    return (await addFailedWrites(others, request)) ?? [];
  } catch (error) {
    if (!signal?.aborted) throw error;
    return compared ?? [];
  }
}
