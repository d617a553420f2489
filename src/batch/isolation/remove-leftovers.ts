import {
  type IsolationRecord,
  journalFile,
  readUnusedRecords,
  removeUnfinishedRecords,
} from './isolation-record.js';
import { removeJournal } from './merge-journal.js';
import { createOwnFolders } from './own-folders.js';
import { removeIsolation } from './remove-isolation.js';

export interface LeftoverOptions {
  /** Ids of workspaces whose changes belong to a step that is done. */
  readonly keptMerges?: ReadonlySet<string> | undefined;
  /** Working directories of the plan. Nothing is changed for other folders. */
  readonly workingDirs: Iterable<string>;
}

/** Messages about a clean-up. */
export interface LeftoverReport {
  /** Worktrees, copies and merges that were removed or reverted. */
  readonly removed: readonly string[];
  /** Worktrees, copies and records that were not touched, and why. */
  readonly kept: readonly string[];
}

/**
 * Cleans up after killed batches: reverts merges that are not in `keptMerges`, and removes worktrees and copies.
 * Touches only workspaces that have a signed record in `stateDir`, belong to the plan, have a marker, and whose owner is
 * known to have ended.
 */
export async function removeLeftovers(
  stateDir: string,
  { keptMerges = new Set(), workingDirs }: LeftoverOptions,
): Promise<LeftoverReport> {
  const removed: string[] = [];
  const homes: string[] = [];
  const kept: string[] = [];
  const isOwn = createOwnFolders(stateDir, workingDirs);
  const { orphans, uncertain, rejected } = readUnusedRecords(stateDir);
  for (const file of rejected) {
    kept.push(`ignored ${file}: it is damaged, or this batch has not written it`);
  }
  for (const { id, home, owner } of uncertain) {
    // This batch goes on with the workspace as it is. A merge that is reverted later would take its changes away.
    removeJournal(journalFile(stateDir, id));
    kept.push(`left ${home}: its owner (process ${owner.pid} on ${owner.host}) may still be alive`);
  }
  for (const record of orphans) {
    if (!(await isOwn(record))) {
      kept.push(`left ${record.home} and ${record.root}: they are no folders of this plan`);
      continue;
    }
    if (keptMerges.has(record.id)) removeJournal(journalFile(stateDir, record.id));
    removed.push(...(await removeOrphan(stateDir, record, homes)));
  }
  if (homes.length > 0) removed.push(`removed ${homes.join(', ')}`);
  removeUnfinishedRecords(stateDir);
  return { removed, kept };
}

/** Removes one workspace. Adds its folder to `homes`, or returns why the folder is still there. */
async function removeOrphan(
  stateDir: string,
  record: IsolationRecord,
  homes: string[],
): Promise<string[]> {
  const { isComplete, undone, left, failed } = await removeIsolation(stateDir, record);
  const messages: string[] = [];
  if (undone) messages.push(`reverted an unfinished merge into ${record.root}`);
  if (left.length > 0)
    messages.push(
      `did not revert ${left.join(', ')}: another program has changed these files since`,
    );
  if (failed.length > 0) {
    messages.push(`could not restore ${failed.join(', ')}: the originals are in ${record.stage}`);
  }
  if (isComplete) homes.push(record.home);
  else messages.push(`could not remove ${record.home}`);
  return messages;
}
