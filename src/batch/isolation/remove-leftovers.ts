import { journalFile, readOrphans, removeUnfinishedRecords } from './isolation-record.js';
import { removeJournal } from './merge-journal.js';
import { removeIsolation } from './remove-isolation.js';

/**
 * Cleans up after batches that died: takes back merges that are not known to stand, and removes worktrees and
 * copies. Only what is recorded in the folder, carries our marker and is in use by no living process. Tells what it
 * did.
 */
export async function removeLeftovers(
  stateDir: string,
  standing: ReadonlySet<string> = new Set(),
): Promise<readonly string[]> {
  const said: string[] = [];
  for (const record of readOrphans(stateDir)) {
    if (standing.has(record.id)) removeJournal(journalFile(stateDir, record.id));
    const { isComplete, undone, left, failed } = await removeIsolation(stateDir, record);
    if (undone) said.push(`took back a merge into ${record.root} that came to no end`);
    if (left.length > 0) said.push(`left as changed by somebody since: ${left.join(', ')}`);
    if (failed.length > 0) {
      said.push(`could not restore ${failed.join(', ')}: the originals are in ${record.stage}`);
    }
    said.push(isComplete ? `removed ${record.home}` : `could not remove ${record.home}`);
  }
  removeUnfinishedRecords(stateDir);
  return said;
}
