import { join } from 'node:path';
import type { PlannedStep } from '../../api/batch-plan.js';
import type { BatchWarning } from '../../api/batch-report.js';
import type { JobReport } from '../../api/job-report.js';
import { assertStillReachable, isUnreachable } from '../../step/reachable-folders.js';
import type { StepCommits } from '../commit/step-commits.js';
import type { ChangeSet } from '../isolation/isolated-workspace.js';
import { openSaved } from '../isolation/open-saved.js';
import { dropSaved } from '../isolation/saved-changes.js';
import type { AttemptResult } from '../ledger/ledger-entry.js';
import type { InputHashes } from '../ledger/ledger-step-state.js';
import type { BatchState } from './batch-state.js';
import { areInputsUnchanged, hashInputs, updateInputHashes } from './input-hashes.js';
import {
  checkMerge,
  describeKept,
  describeMergeFailure,
  describeNotKept,
} from './merge-attempt.js';
import type { MergeQueue } from './merge-queue.js';
import type { AttemptSuccess } from './run-attempt.js';
import { safeName } from './safe-name.js';
import { toAttemptResult, toStepResult } from './step-result.js';

export interface AttemptMergerOptions {
  readonly state: BatchState;
  readonly stateDir: string;
  /** Folder for patches of changes that were not merged. */
  readonly keptDir: string;
  readonly queue: MergeQueue;
  readonly commits: StepCommits;
  readonly warn: (warning: BatchWarning) => Promise<void>;
}

/** An isolated attempt that has succeeded, and whose changes are not merged yet. */
export interface UnmergedAttempt {
  readonly step: PlannedStep;
  readonly attempt: number;
  readonly key: string;
  /** Time that the attempt waited in the queue or for a slot. */
  readonly waitedMs?: number | undefined;
  readonly job?: JobReport | undefined;
  readonly result: AttemptResult;
  /** Hashes of the step's inputs before the step, by path. */
  readonly inputs: InputHashes;
  readonly changes: ChangeSet;
}

export type FinishedAttempt = Omit<UnmergedAttempt, 'changes' | 'result'>;

/**
 * Saves what an isolated attempt has done as soon as its agent has finished, and merges it later: in the same run, or in
 * the next one if this run is killed.
 */
export class AttemptMerger {
  readonly #options: AttemptMergerOptions;

  constructor(options: AttemptMergerOptions) {
    this.#options = options;
  }

  keptPatch({ id }: PlannedStep): string {
    return join(this.#options.keptDir, `${safeName(id)}.patch`);
  }

  /**
   * Writes changes and result of an attempt to the disk. If the changes cannot be saved, for example because the disk of
   * the state folder is full, they stay in the workspace and are merged from there.
   */
  async save(
    finished: FinishedAttempt,
    { result: given, workspace }: AttemptSuccess,
    cancel: AbortSignal,
  ): Promise<UnmergedAttempt> {
    const { state } = this.#options;
    const { step, attempt, waitedMs, job, key, inputs } = finished;
    const result = toAttemptResult(given);
    const { generationId, repairs, usage, cost, sessionId, files } = result;
    const changed = files.filter(({ kind }) => kind !== 'unchanged');
    const options = {
      extraPaths: changed.map(({ absolutePath }) => absolutePath),
      files: files.map(({ absolutePath }) => absolutePath),
    };
    // The workspace stays if the file system does not answer. The next run removes it.
    await assertStillReachable([String(step.config['workingDir']), workspace.dir], cancel);
    try {
      const changes = await workspace
        .saveChanges(options)
        .catch(() => workspace.collectChanges(options))
        .catch(async (error: unknown) => {
          const patchFile = this.keptPatch(step);
          const kept = workspace.keepPatch({ ...options, patchFile });
          throw describeMergeFailure(error, result, await kept.then(describeKept, describeNotKept));
        });
      const ended = { step: step.id, attempt, generationId, repairs, usage, cost, sessionId };
      const saving = changes.savedId;
      // Both entries share one sync of the ledger. If only the first one gets to the disk, nothing is lost.
      await Promise.all([
        saving === undefined
          ? undefined
          : state.write({
              type: 'saved',
              step: step.id,
              attempt,
              key,
              result,
              inputs,
              changes: saving,
            }),
        state.write({ type: 'attempt', outcome: 'succeeded', waitedMs, job, ...ended }),
      ]);
      // The next steps need the disk space. A folder that cannot be removed now is removed after the merge.
      if (saving !== undefined) await workspace.removeFiles().catch(() => {});
      return { ...finished, result, changes };
    } catch (error) {
      await workspace.dispose().catch(() => {});
      throw error;
    }
  }

  /**
   * Opens the attempt that an earlier run has saved and not merged. Returns undefined if the step has to run: there is
   * none, the step or its inputs have changed since, or the saved changes are damaged.
   */
  async openEarlier(
    step: PlannedStep,
    key: string,
    signal: AbortSignal,
  ): Promise<UnmergedAttempt | undefined> {
    const { state, stateDir, warn } = this.#options;
    const { saved } = state.stepState(step.id);
    if (saved === undefined || saved.key !== key) return undefined;
    const now = await hashInputs(step.inputs, signal);
    if (!areInputsUnchanged(now, saved.inputs, state.writtenByBatch)) return undefined;
    const changes = await openSaved({
      stateDir,
      id: saved.changes,
      workspaceDir: String(step.config['workingDir']),
      kind: step.isolation,
    });
    if (changes === undefined) {
      const message = `The saved changes of step ${step.id} are missing or damaged: the step runs again`;
      await warn({ code: 'DAMAGED_LEDGER', message, steps: [step.id] });
      return undefined;
    }
    return { ...saved, step, changes };
  }

  /** Removes changes that an earlier run has saved, after the ledger says that the step runs again. */
  dropEarlier(savedId: string | undefined): void {
    if (savedId !== undefined) dropSaved(this.#options.stateDir, savedId);
  }

  /**
   * Merges an attempt and writes the result of the step. Throws if nothing was merged. The patch is kept then; if the file
   * system does not answer, the saved changes stay as they are.
   */
  async merge(unmerged: UnmergedAttempt, cancel: AbortSignal): Promise<void> {
    const { state, queue, commits } = this.#options;
    const { step, key, result, inputs, changes } = unmerged;
    const keptPatch = this.keptPatch(step);
    const workingDir = String(step.config['workingDir']);
    const dispose = (): Promise<void> => changes.dispose().catch(() => {});
    try {
      await queue.merge({
        step,
        changes,
        patchFile: keptPatch,
        cancel,
        complete: async (outcome) => {
          try {
            const request = { result, changes, workingDir, keptPatch };
            const { files, warnings } = await checkMerge(outcome, request);
            await state.write({
              type: 'done',
              step: step.id,
              key,
              result: {
                ...toStepResult(result, files),
                warnings: [...result.warnings, ...warnings],
              },
              inputs: updateInputHashes(inputs, files),
              merge: changes.id,
            });
            await changes.keepMerge();
            await changes.drop();
          } finally {
            // Without `keepMerge()`, `dispose` reverts the merge: the ledger has no `done` line.
            await dispose();
          }
          // No other merge begins before the commit, so that the commit has the files as this step left them.
          await commits.commit(step);
        },
      });
    } catch (error) {
      if (!isUnreachable(error)) await dispose();
      throw error;
    }
  }
}
