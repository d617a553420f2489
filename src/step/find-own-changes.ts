import type { CheckSideEffects } from './check-side-effects.js';
import { addFailedWrites, type FailedWritesRequest } from './manifest/failed-writes.js';
import type { NamedFiles } from './manifest/named-files.js';
import type { WorkspaceChange } from './manifest/workspace-change.js';

export interface OwnChangesRequest extends FailedWritesRequest {
  /** Changes that the comparison found; undefined if the workspace was not compared. */
  readonly compared: readonly WorkspaceChange[] | undefined;
  /** Changes of protected files that were undone. */
  readonly undone: readonly WorkspaceChange[];
  readonly namedFiles: NamedFiles;
  readonly sideEffects: CheckSideEffects;
}

/**
 * Finds the changes that the agent has made: those of the workspace and of files that its commands name, without what
 * commands of a check have written, and those of failed writes. An abort leaves the changes as they were found.
 */
export async function findOwnChanges(request: OwnChangesRequest): Promise<WorkspaceChange[]> {
  const { compared = [], undone, namedFiles, sideEffects, toolCalls, signal } = request;
  const found = [...compared, ...(await namedFiles.changes(toolCalls, signal))];
  try {
    const others = await sideEffects.removeFrom(found, signal);
    return [...((await addFailedWrites(others, request)) ?? []), ...undone];
  } catch (error) {
    if (!signal?.aborted) throw error;
    return [...found, ...undone];
  }
}
