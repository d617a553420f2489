import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describePath } from './byte-path.js';
import {
  type IsolationRecord,
  journalFile,
  removeRecord,
  retireRecord,
} from './isolation-record.js';
import { markedFolderName, removeMarkedFolder } from './marked-folder.js';
import { readJournal } from './merge-journal.js';
import { undoChanges } from './undo-changes.js';
import { removeWorktreeEntry } from './worktree-entry.js';

export interface Removal {
  /** False if a folder could not be removed. The record then stays for the next clean-up. */
  readonly isComplete: boolean;
  /** True if a provisional merge was reverted. */
  readonly undone: boolean;
  /** Files that were not reverted, because another program has changed them since the merge. */
  readonly left: readonly string[];
  /** Files that could not be restored because of disk errors. The originals are still in the staging folder. */
  readonly failed: readonly string[];
}

/** Removes the workspace of one attempt. Reverts a provisional merge first. */
export async function removeIsolation(
  stateDir: string,
  record: Omit<IsolationRecord, 'owner'>,
): Promise<Removal> {
  const { id, root, home, stage, tree, commonDir } = record;
  const file = journalFile(stateDir, id);
  const journal = readJournal(file);
  const isOurs = journal?.root === root && journal.stage === stage;
  const undo = isOurs ? undoChanges(journal) : { left: [], failed: [] };
  const left = undo.left.map(describePath);
  const failed = undo.failed.map(describePath);
  if (failed.length > 0) {
    retireRecord(id);
    return { isComplete: false, undone: false, left, failed };
  }
  rmSync(file, { force: true });
  const isStageGone = stage.startsWith(join(home, '/')) || (await removeMarkedFolder(stage, id));
  const isHomeGone = await removeMarkedFolder(home, id);
  if (isHomeGone && commonDir !== undefined) await removeEntry(id, commonDir, tree);
  const isComplete = isStageGone && isHomeGone;
  if (isComplete) removeRecord(stateDir, id);
  else retireRecord(id);
  return { isComplete, undone: isOurs, left, failed };
}

/**
 * Removes the worktree or the copy of an attempt whose changes are saved, and keeps its record for the merge. A folder
 * that cannot be removed now is left to `removeIsolation`.
 */
export async function removeFiles({
  id,
  home,
  tree,
  commonDir,
}: Omit<IsolationRecord, 'owner'>): Promise<void> {
  const isGone = await removeMarkedFolder(home, id);
  if (isGone && commonDir !== undefined) await removeEntry(id, commonDir, tree);
}

function removeEntry(id: string, commonDir: string, tree: string): Promise<void> {
  return removeWorktreeEntry({ commonDir, name: markedFolderName(id), tree });
}
