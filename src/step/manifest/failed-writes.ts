import { resolve } from 'node:path';
import type { ToolCall } from '../../agents/events/turn-fold.js';
import { toolCategory } from '../../agents/gemini/gemini-tools.js';
import { readFileState } from '../../base/fs/fingerprint.js';
import { canonicalPath, realpathOf } from '../../base/fs/paths.js';
import { lstatIfThere } from '../../base/fs/stats.js';
import type { OriginalContents } from './original-contents.js';
import type { WorkspaceChange } from './workspace-change.js';

export interface FailedWritesRequest {
  readonly workingDir: string;
  readonly toolCalls: readonly ToolCall[];
  readonly originalContents: OriginalContents;
  /** Start of the step, as a time stamp of files. */
  readonly sinceMs: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Adds the files that failed or interrupted writes have changed all the same: on a full disk, a write leaves the part of
 * the new content that has found room, and the old content is gone. `compared` are the changes that are already known.
 */
export async function addFailedWrites(
  compared: readonly WorkspaceChange[] | undefined,
  request: FailedWritesRequest,
): Promise<readonly WorkspaceChange[] | undefined> {
  const failed = collectFailedWrites(request);
  if (failed.size === 0) return compared;
  const changes = new Map((compared ?? []).map((change) => [canonicalPath(change.path), change]));
  for (const [path, writers] of failed) {
    const known = changes.get(path);
    if (known !== undefined) {
      if (known.obstacle === undefined) changes.set(path, { ...known, writers });
      continue;
    }
    const change = await findChange(path, request);
    if (change !== undefined) changes.set(path, { ...change, writers });
  }
  return changes.size === 0 ? compared : [...changes.values()];
}

/** Groups the calls by the real path of the file that they name. */
function collectFailedWrites({
  toolCalls,
  workingDir,
}: FailedWritesRequest): ReadonlyMap<string, ToolCall[]> {
  const failed = new Map<string, ToolCall[]>();
  for (const call of toolCalls) {
    const named = call.input['file_path'];
    if (call.outcome === 'completed' || toolCategory(call.name) !== 'file-write') continue;
    if (typeof named !== 'string' || named === '' || named.includes('\0')) continue;
    const path = realpathOf(resolve(workingDir, named));
    failed.set(path, [...(failed.get(path) ?? []), call]);
  }
  return failed;
}

/** Without a known old content, the change time of the file tells if it has changed since the step began. */
async function findChange(
  path: string,
  { originalContents, sinceMs, signal }: FailedWritesRequest,
): Promise<WorkspaceChange | undefined> {
  const before = originalContents.get(path);
  if (before === undefined) {
    const stats = lstatIfThere(path);
    return stats?.isFile() && stats.ctimeMs >= sinceMs ? { path, before } : undefined;
  }
  const after = await readFileState(path, signal);
  return before?.sha256 === after?.sha256 ? undefined : { path, before };
}
