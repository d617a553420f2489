import { journalFile, readOrphans, removeUnfinishedRecords } from './isolation-record.js';
import { removeJournal } from './merge-journal.js';
import { removeIsolation } from './remove-isolation.js';

/**
 * Cleans up after killed batches: reverts merges that are not in `keptMerges`, and removes worktrees and copies.
 * Touches only workspaces that are recorded in `stateDir`, have a marker and are not used by a living process. Returns
 * messages about what it did.
 */
export async function removeLeftovers(
  stateDir: string,
  keptMerges: ReadonlySet<string> = new Set(),
): Promise<readonly string[]> {
  const messages: string[] = [];
  for (const record of readOrphans(stateDir)) {
    if (keptMerges.has(record.id)) removeJournal(journalFile(stateDir, record.id));
    const { isComplete, undone, left, failed } = await removeIsolation(stateDir, record);
    if (undone) messages.push(`reverted an unfinished merge into ${record.root}`);
    if (left.length > 0)
      messages.push(
        `did not revert ${left.join(', ')}: another program has changed these files since`,
      );
    if (failed.length > 0) {
      messages.push(`could not restore ${failed.join(', ')}: the originals are in ${record.stage}`);
    }
    messages.push(isComplete ? `removed ${record.home}` : `could not remove ${record.home}`);
  }
  removeUnfinishedRecords(stateDir);
  return messages;
}
