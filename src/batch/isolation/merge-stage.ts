import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { applyChanges } from './apply-changes.js';
import type { BytePath } from './byte-path.js';
import {
  type CheckedChange,
  checkChanges,
  type TreeChange,
  TreeMovedOnError,
} from './check-changes.js';
import type { ConflictReason } from './isolated-workspace.js';
import type { IsolationFolder } from './isolation-folder.js';
import { journalFile } from './isolation-record.js';
import { createMarkedFolder, removeMarkedFolder } from './marked-folder.js';
import { stageChanges } from './stage-changes.js';

/** How often a merge is begun anew because the person was writing just then. */
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
  /** A folder that stays although nothing is left in it. */
  readonly keptFolder: BytePath;
}

export interface MergePlan {
  readonly changes: readonly TreeChange[];
  /** Whether, all being ready, a file is no longer what the plan was made for. */
  readonly hasMovedOn?: ((changes: readonly CheckedChange[]) => Promise<boolean>) | undefined;
}

/** Makes a plan and carries it out, all of it or nothing; anew where the person has changed a file meanwhile. */
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
        return carryOut(target, planned, stage);
      });
    } catch (error) {
      if (!(error instanceof TreeMovedOnError)) throw error;
    }
  }
  return { conflicts: toConflicts(wanted, 'changed') };
}

async function carryOut(target: MergeTarget, plan: MergePlan, stage: string): Promise<PathOutcome> {
  const { root, stateDir, id, trustModes, keptFolder } = target;
  const { changes, occupied } = checkChanges(root, plan.changes);
  if (occupied.length > 0) return { conflicts: toConflicts(occupied, 'occupied') };
  const staged = await stageChanges(changes, { root, stage, trustModes });
  if (await plan.hasMovedOn?.(changes)) throw new TreeMovedOnError();
  applyChanges(staged, { root, stage, journalFile: journalFile(stateDir, id), keptFolder });
  return { paths: plan.changes.map(({ path }) => path) };
}

export function toConflicts(paths: readonly BytePath[], reason: ConflictReason): PathConflict[] {
  return paths.map((path) => ({ path, reason }));
}

/** A folder to prepare a merge in, gone when nothing came of it. Git does not see it where it is in a working tree. */
async function withStage<T>(
  { home, id, stateDir }: MergeTarget,
  work: (stage: string) => Promise<T>,
): Promise<T> {
  const isJournalThere = (): boolean => existsSync(journalFile(stateDir, id));
  if (isJournalThere()) throw new Error('the merge before this one is not settled yet');
  await removeMarkedFolder(home.stage, id);
  createMarkedFolder(home.stage, id);
  try {
    writeFileSync(join(home.stage, '.gitignore'), '*\n');
    return await work(home.stage);
  } finally {
    // With a journal, there are originals in it that may have to be restored.
    if (!isJournalThere()) await removeMarkedFolder(home.stage, id);
  }
}
