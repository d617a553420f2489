import { readOrphans, removeUnfinishedRecords } from './isolation-record.js';
import { removeIsolation } from './remove-isolation.js';

/**
 * Cleans up after batches that died: takes back merges that were cut off, and removes worktrees and copies. Only
 * what is recorded in the folder, carries our marker and is in use by no living process. Tells what it did.
 */
export async function removeLeftovers(stateDir: string): Promise<readonly string[]> {
  const said: string[] = [];
  for (const record of readOrphans(stateDir)) {
    const { isComplete, undone, left, failed } = await removeIsolation(stateDir, record);
    if (undone) said.push(`took back a merge into ${record.root} that was cut off`);
    if (left.length > 0) said.push(`left as changed by somebody since: ${left.join(', ')}`);
    if (failed.length > 0) {
      said.push(`could not restore ${failed.join(', ')}: the originals are in ${record.stage}`);
    }
    said.push(isComplete ? `removed ${record.home}` : `could not remove ${record.home}`);
  }
  removeUnfinishedRecords(stateDir);
  return said;
}
