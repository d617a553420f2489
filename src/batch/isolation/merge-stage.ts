import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { applyChanges } from './apply-changes.js';
import type { BytePath } from './byte-path.js';
import {
  type CheckedChange,
  checkChanges,
  type TreeChange,
  TreeChangedError,
} from './check-changes.js';
import type { ConflictReason } from './isolated-workspace.js';
import type { IsolationFolder } from './isolation-folder.js';
import { journalFile } from './isolation-record.js';
import { createMarkedFolder, removeMarkedFolder } from './marked-folder.js';
import { stageChanges } from './stage-changes.js';

/** Attempts to merge before a conflict is reported, if the user changes files during each of them. */
const MOST_TRIES = 5;

export interface PathConflict {
  readonly path: BytePath;
  readonly reason: ConflictReason;
}

export type PathOutcome =
  | { readonly paths: readonly BytePath[] }
  | { readonly conflicts: readonly PathConflict[] };

export interface MergeTarget {
  readonly root: string;
  readonly stateDir: string;
  readonly home: IsolationFolder;
  readonly id: string;
  readonly trustModes: boolean;
  /** Folder that stays even if the merge removes its last file. */
  readonly keptFolder: BytePath;
}

export interface MergePlan {
  readonly changes: readonly TreeChange[];
  /** Checks again before the files are moved: true if a file has changed since the plan was made. */
  readonly hasTreeChanged?: ((changes: readonly CheckedChange[]) => Promise<boolean>) | undefined;
}

/** Plans a merge and applies all of it or nothing. Starts again if the user has changed a file meanwhile. */
export async function mergeInto(
  target: MergeTarget,
  plan: (stage: string) => Promise<MergePlan | readonly PathConflict[]>,
): Promise<PathOutcome> {
  let wanted: readonly BytePath[] = [];
  for (let tries = 1; tries <= MOST_TRIES; tries++) {
    try {
      return await withStage(target, async (stage) => {
        const planned = await plan(stage);
        if (!('changes' in planned)) return { conflicts: planned };
        wanted = planned.changes.map(({ path }) => path);
        return applyPlan(target, planned, stage);
      });
    } catch (error) {
      if (!(error instanceof TreeChangedError)) throw error;
    }
  }
  return { conflicts: toConflicts(wanted, 'changed') };
}

async function applyPlan(
  target: MergeTarget,
  plan: MergePlan,
  stage: string,
): Promise<PathOutcome> {
  const { root, stateDir, id, trustModes, keptFolder } = target;
  const { changes, occupied } = checkChanges(root, plan.changes);
  if (occupied.length > 0) return { conflicts: toConflicts(occupied, 'occupied') };
  const staged = await stageChanges(changes, { root, stage, trustModes });
  if (await plan.hasTreeChanged?.(changes)) throw new TreeChangedError();
  applyChanges(staged, { root, stage, journalFile: journalFile(stateDir, id), keptFolder });
  return { paths: plan.changes.map(({ path }) => path) };
}

export function toConflicts(paths: readonly BytePath[], reason: ConflictReason): PathConflict[] {
  return paths.map((path) => ({ path, reason }));
}

/**
 * Runs `work` with a staging folder, and removes the folder if nothing was merged. Its `.gitignore` hides it from git.
 */
async function withStage<T>(
  { home, id, stateDir }: MergeTarget,
  work: (stage: string) => Promise<T>,
): Promise<T> {
  const isJournalThere = (): boolean => existsSync(journalFile(stateDir, id));
  if (isJournalThere()) throw new Error(`Merge ${id} is neither kept nor reverted yet`);
  await removeMarkedFolder(home.stage, id);
  createMarkedFolder(home.stage, id);
  try {
    writeFileSync(join(home.stage, '.gitignore'), '*\n');
    return await work(home.stage);
  } finally {
    // While the journal exists, the folder contains originals that may have to be restored.
    if (!isJournalThere()) await removeMarkedFolder(home.stage, id);
  }
}
