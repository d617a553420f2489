import { StepChangeSet } from './change-set.js';
import { type ComparedPaths, findChangedPaths } from './find-changed-paths.js';
import type { ChangeSet, MergeOutcome } from './isolated-workspace.js';
import { mergeGitDir } from './merge-worktree.js';
import { treeLock } from './read-write-lock.js';
import { mergeRemote, RemoteChangeSet } from './remote/remote-change-set.js';
import { isOfWorktree, type WorktreeChanges } from './step-changes.js';

export interface MergeRequest {
  readonly changes: ChangeSet;
  readonly patchFile: string;
}

/** Merges the changes of several steps, whose paths must be disjoint: in this process, or in that of a remote file system. */
export async function mergeTogether(
  requests: readonly MergeRequest[],
): Promise<PromiseSettledResult<MergeOutcome>[]> {
  const remote = requests.flatMap(({ changes, patchFile }) => {
    return changes instanceof RemoteChangeSet ? { changes, patchFile } : [];
  });
  const local = requests.filter(({ changes }) => !(changes instanceof RemoteChangeSet));
  const outcomes = new Map<ChangeSet, PromiseSettledResult<MergeOutcome>>();
  const add = (
    of: readonly MergeRequest[],
    settled: PromiseSettledResult<MergeOutcome>[],
  ): void => {
    for (const [index, outcome] of settled.entries()) {
      const request = of[index];
      if (request !== undefined) outcomes.set(request.changes, outcome);
    }
  };
  if (remote.length > 0) add(remote, await mergeRemote(remote));
  if (local.length > 0) add(local, await mergeHere(local));
  return requests.flatMap(({ changes }) => outcomes.get(changes) ?? []);
}

/**
 * Merges the changes of several steps, whose paths must be disjoint, under one lock. The paths of all worktrees of a
 * repository are compared by one git call. Each merge is all or nothing for itself.
 */
export function mergeHere(
  requests: readonly MergeRequest[],
): Promise<PromiseSettledResult<MergeOutcome>[]> {
  return treeLock.exclusive(async () => {
    const sets = requests.map(({ changes }) => changes);
    const compared = await compareTogether(sets.filter((set) => set instanceof StepChangeSet));
    const outcomes: PromiseSettledResult<MergeOutcome>[] = [];
    for (const { changes, patchFile } of requests) {
      const merging = changes.mergeLocked(patchFile, compared.get(changes));
      outcomes.push(...(await Promise.allSettled([merging])));
    }
    return outcomes;
  });
}

/** Compares the paths of all steps with the user's working tree. A step without a result compares its paths itself. */
async function compareTogether(
  sets: readonly StepChangeSet[],
): Promise<ReadonlyMap<ChangeSet, ComparedPaths>> {
  const repositories = new Map<string, { set: StepChangeSet; changes: WorktreeChanges }[]>();
  for (const set of sets) {
    const { changes } = set;
    if (!isOfWorktree(changes)) continue;
    const { gitDir, trustModes } = changes.git;
    const key = JSON.stringify([gitDir, trustModes]);
    repositories.set(key, [...(repositories.get(key) ?? []), { set, changes }]);
  }
  const compared = new Map<ChangeSet, ComparedPaths>();
  for (const [first, ...others] of repositories.values()) {
    if (first === undefined || others.length === 0) continue;
    const all = [first, ...others].flatMap(({ changes }) => changes.changes);
    const result = await findChangedPaths(
      mergeGitDir(first.changes),
      all,
      { trustModes: first.changes.git.trustModes, isGroup: true },
      // A file was removed while git read it, or git cannot read it: each step then finds out for itself.
    ).catch(() => undefined);
    if (result === undefined) continue;
    for (const { set, changes } of [first, ...others]) {
      const hasMoved = changes.changes.some(({ path, isConverted }) => {
        return !isConverted && result.changed.has(path) && !result.identities.has(path);
      });
      compared.set(set, { ...result, hasMoved });
    }
  }
  return compared;
}
