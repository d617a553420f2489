import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describePath } from './byte-path.js';
import {
  type IsolationRecord,
  journalFile,
  removeRecord,
  retireRecord,
} from './isolation-record.js';
import { removeMarkedFolder } from './marked-folder.js';
import { readJournal } from './merge-journal.js';
import { undoChanges } from './undo-changes.js';
import { removeWorktreeEntry } from './worktree-entry.js';

export interface Removal {
  /** False where something could not be removed; its record stays for the next time. */
  readonly isComplete: boolean;
  /** Whether there was a merge that does not stand, and is taken back now. */
  readonly undone: boolean;
  /** What a merge had changed, and somebody else since: it was left as it is. */
  readonly left: readonly string[];
  /** What the disk did not let us restore. The originals are still there. */
  readonly failed: readonly string[];
}

/** Removes all there is of one attempt. A merge that does not stand is taken back first. */
export async function removeIsolation(
  stateDir: string,
  record: Omit<IsolationRecord, 'pid' | 'startTime'>,
): Promise<Removal> {
  const { id, root, home, stage, tree, commonDir } = record;
  const file = journalFile(stateDir, id);
  const journal = readJournal(file);
  const isOurs = journal?.root === root && journal.stage === stage;
  const undoing = isOurs ? undoChanges(journal) : { left: [], failed: [] };
  const left = undoing.left.map(describePath);
  const failed = undoing.failed.map(describePath);
  if (failed.length > 0) {
    retireRecord(id);
    return { isComplete: false, undone: false, left, failed };
  }
  rmSync(file, { force: true });
  rmSync(`${file}.new`, { force: true });
  const isStageGone = stage.startsWith(join(home, '/')) || (await removeMarkedFolder(stage, id));
  const isHomeGone = await removeMarkedFolder(home, id);
  if (isHomeGone && commonDir !== undefined) await removeWorktreeEntry(commonDir, tree);
  const isComplete = isStageGone && isHomeGone;
  if (isComplete) removeRecord(stateDir, id);
  else retireRecord(id);
  return { isComplete, undone: isOurs, left, failed };
}
