import { isInside } from '../../base/fs/paths.js';
import { lstatIfThere } from '../../base/fs/stats.js';
import { isKnownAlive } from '../../base/process/process-identity.js';
import { readUnusedRecords } from '../isolation/isolation-record.js';
import { removeLeftovers } from '../isolation/remove-leftovers.js';
import { workspaceInUse } from './clean-errors.js';
import type { CleanReport } from './clean-report.js';
import { measurePath } from './measure-path.js';

export interface CleanLeftoversRequest {
  readonly stateDir: string;
  readonly workingDirs: readonly string[];
  readonly keptMerges: ReadonlySet<string>;
  readonly dryRun: boolean;
}

/** Throws if a worktree or a copy of the batch has a living owner, or, without `force`, one that may be alive. */
export function assertNoOwner(stateDir: string, force: boolean): void {
  for (const record of readUnusedRecords(stateDir).uncertain) {
    const isAlive = isKnownAlive(record.owner);
    if (isAlive || !force) throw workspaceInUse(record, isAlive);
  }
}

/** Removes worktrees and copies of killed runs, and reverts their unfinished merges. */
export async function cleanLeftovers(request: CleanLeftoversRequest): Promise<CleanReport> {
  const { stateDir, workingDirs, keptMerges, dryRun } = request;
  const { orphans } = readUnusedRecords(stateDir);
  const items = orphans
    .filter(({ home }) => lstatIfThere(home) !== undefined)
    .map(({ home }) => ({
      path: home,
      what: 'workspace of a killed run',
      bytes: measurePath(home),
    }));
  // Workspaces inside of the state folder are part of its size.
  const outside = items.filter(({ path }) => !isInside(stateDir, path));
  if (dryRun || orphans.length === 0) return { removed: outside, kept: [], notes: [] };
  const { removed } = await removeLeftovers(stateDir, { keptMerges, workingDirs });
  const left = items.filter(({ path }) => lstatIfThere(path) !== undefined);
  return {
    removed: outside.filter((item) => !left.includes(item)),
    kept: left.map(({ path }) => ({
      path,
      reason: 'could not be removed, or is no folder of the last plan',
    })),
    notes: removed.filter((message) => !message.startsWith('removed ')),
  };
}
