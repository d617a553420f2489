import { rmSync } from 'node:fs';
import { posix } from 'node:path';
import { readFileState } from '../../base/fs/fingerprint.js';
import { type BytePath, describePath, onDisk } from './byte-path.js';
import { compareMerged } from './compare-merged.js';
import { keepCopyPatch } from './copy-patch.js';
import { describeDiskError } from './disk-error.js';
import type { ComparedPaths } from './find-changed-paths.js';
import type { ChangeSet, MergedState, MergeOutcome } from './isolated-workspace.js';
import type { IsolationFolder } from './isolation-folder.js';
import { journalFile } from './isolation-record.js';
import { keepFiles } from './keep-files.js';
import { planCopyMerge } from './merge-copy.js';
import { removeJournal } from './merge-journal.js';
import {
  type MergedPaths,
  type MergePlan,
  mergeInto,
  NOTHING_TO_MERGE,
  openHome,
  type PathConflict,
} from './merge-stage.js';
import { keepPatch } from './merge-trees.js';
import { planWorktreeMerge } from './merge-worktree.js';
import { createPathMap } from './path-map.js';
import { treeLock } from './read-write-lock.js';
import { dropSaved } from './saved-changes.js';
import { isOfWorktree, type StepChanges } from './step-changes.js';

/** Workspace that a merge belongs to: its record, journal and staging folder. */
export interface MergePlace {
  readonly id: string;
  readonly stateDir: string;
  readonly home: IsolationFolder;
  readonly remove: () => Promise<unknown>;
}

/** Changes of one attempt, from its live workspace or from the saved form. */
export class StepChangeSet implements ChangeSet {
  readonly id: string;
  readonly savedId: string | undefined;
  readonly changes: StepChanges;
  readonly #place: MergePlace;
  #merged: MergedPaths = NOTHING_TO_MERGE;

  constructor(changes: StepChanges, place: MergePlace, savedId?: string) {
    this.id = place.id;
    this.savedId = savedId;
    this.changes = changes;
    this.#place = place;
  }

  get targets(): readonly string[] {
    const { root, changes } = this.changes;
    return changes.map(({ path }) => onDisk(root, path).toString('latin1'));
  }

  get stateDir(): string {
    return this.#place.stateDir;
  }

  get notes(): readonly string[] {
    return this.changes.workspaceNotes;
  }

  toOriginal(path: string): string {
    return createPathMap(this.changes).toOriginal(path);
  }

  mergeBack(patchFile: string): Promise<MergeOutcome> {
    return treeLock.exclusive(() => this.mergeLocked(patchFile));
  }

  /** Merges under the lock that the caller holds. `compared` may come from one git call for several steps. */
  async mergeLocked(patchFile: string, compared?: ComparedPaths): Promise<MergeOutcome> {
    try {
      return await this.#merge(patchFile, compared);
    } catch (error) {
      throw describeMergeError(error);
    }
  }

  async compareMerged(path: string): Promise<MergedState> {
    const reported = this.changes.reported.find(({ absolutePath }) => absolutePath === path);
    const ours = await readFileState(this.toOriginal(path));
    if (reported?.sha256 === ours?.sha256) return 'same';
    if (reported?.path === undefined) return 'not-merged';
    return compareMerged(this.changes.root, this.#merged, reported.path);
  }

  async keepMerge(): Promise<void> {
    removeJournal(journalFile(this.#place.stateDir, this.id));
  }

  async keepPatch(patchFile: string): Promise<string | undefined> {
    const { changes } = this;
    if (changes.changes.length === 0) return undefined;
    try {
      if (!isOfWorktree(changes)) {
        openHome(this.#place.home, this.id);
        return await keepCopyPatch(changes, this.#place.home.folder, patchFile);
      }
      const { root: folder, git } = changes;
      return await keepPatch({ folder, gitDir: git.gitDir }, git.tree, git.theirs, patchFile);
    } catch {
      try {
        // The disk may have filled up in the middle of a patch.
        rmSync(patchFile, { recursive: true, force: true });
        keepFiles(changes.changes, patchFile);
        return patchFile;
      } catch (error) {
        throw describeMergeError(error);
      }
    }
  }

  async drop(): Promise<void> {
    if (this.savedId !== undefined) dropSaved(this.#place.stateDir, this.savedId);
  }

  async dispose(): Promise<void> {
    await this.#place.remove();
  }

  async #merge(patchFile: string, compared: ComparedPaths | undefined): Promise<MergeOutcome> {
    const { changes } = this;
    const { stateDir, home, id } = this.#place;
    const target = {
      root: changes.root,
      stateDir,
      home,
      id,
      trustModes: changes.git?.trustModes ?? true,
      keptFolder: Buffer.from(changes.git?.prefix ?? '').toString('latin1'),
    };
    let known = compared;
    const plan = (stage: string): Promise<MergePlan | PathConflict[]> => {
      const first = known;
      // A second try reads the paths again: the user has changed one of them.
      known = undefined;
      if (!isOfWorktree(changes)) return planCopyMerge(changes, stage);
      return planWorktreeMerge({ changes, home, stateDir, stage, compared: first });
    };
    const isEmpty = changes.changes.length === 0 && !changes.git?.submodules.length;
    const outcome = isEmpty ? NOTHING_TO_MERGE : await mergeInto(target, plan);
    const toText = (path: BytePath): string => {
      return posix.relative(changes.git?.prefix ?? '', describePath(path));
    };
    if ('paths' in outcome) {
      this.#merged = outcome;
      return { merged: true, paths: outcome.paths.map(toText), notes: changes.notes };
    }
    await this.keepPatch(patchFile);
    const conflicts = outcome.conflicts.map(({ path, reason }) => ({ path: toText(path), reason }));
    return { merged: false, conflicts, patchFile, notes: changes.notes };
  }
}

function describeMergeError(error: unknown): unknown {
  return describeDiskError(error, 'Cannot merge the changes of the step');
}
