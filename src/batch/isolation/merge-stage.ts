import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { applyChanges } from './apply-changes.js';
import type { BytePath } from './byte-path.js';
import {
  checkChanges,
  type TreeChange,
  TreeChangedError,
  UnverifiedMergeError,
} from './check-changes.js';
import { type FileIdentity, readStats } from './file-identity.js';
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

/** Result of a merge. */
export interface MergedPaths {
  readonly paths: readonly BytePath[];
  /** Files that the merge has moved to their paths; undefined for a removed path. */
  readonly moved: ReadonlyMap<BytePath, FileIdentity | undefined>;
  /** Paths that differ from the files of the step, because they have changes of both sides. */
  readonly combined: ReadonlySet<BytePath>;
}

export const NOTHING_TO_MERGE: MergedPaths = { paths: [], moved: new Map(), combined: new Set() };

export type PathOutcome = MergedPaths | { readonly conflicts: readonly PathConflict[] };

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
  /** Paths whose result differs from the files of the step, because both sides have changed them. */
  readonly combined: readonly BytePath[];
}

/** Plans a merge and applies all of it or nothing. Starts again if the user has changed a file meanwhile. */
export async function mergeInto(
  target: MergeTarget,
  plan: (stage: string) => Promise<MergePlan | readonly PathConflict[]>,
): Promise<PathOutcome> {
  let failed: readonly PathConflict[] = [];
  for (let tries = 1; tries <= MOST_TRIES; tries++) {
    try {
      return await withStage(target, async (stage) => {
        const planned = await plan(stage);
        if (!('changes' in planned)) return { conflicts: planned };
        failed = toConflicts(
          planned.changes.map(({ path }) => path),
          'changed',
        );
        return applyPlan(target, planned, stage);
      });
    } catch (error) {
      if (!(error instanceof TreeChangedError)) throw error;
      if (error instanceof UnverifiedMergeError) failed = toConflicts(error.paths, 'unverified');
    }
  }
  return { conflicts: failed };
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
  applyChanges(staged, { root, stage, journalFile: journalFile(stateDir, id), keptFolder });
  return {
    paths: plan.changes.map(({ path }) => path),
    moved: new Map(staged.map((change) => [change.path, change.staged])),
    combined: new Set(plan.combined),
  };
}

export function toConflicts(paths: readonly BytePath[], reason: ConflictReason): PathConflict[] {
  return paths.map((path) => ({ path, reason }));
}

/** Creates the folder of a workspace again: it was removed when the changes of the step were saved. */
export function openHome({ folder }: IsolationFolder, id: string): void {
  if (readStats(folder) === undefined) createMarkedFolder(folder, id);
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
  openHome(home, id);
  createMarkedFolder(home.stage, id);
  try {
    writeFileSync(join(home.stage, '.gitignore'), '*\n');
    return await work(home.stage);
  } finally {
    // While the journal exists, the folder contains originals that may have to be restored.
    if (!isJournalThere()) await removeMarkedFolder(home.stage, id);
  }
}
