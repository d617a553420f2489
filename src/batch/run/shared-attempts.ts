import type { PlannedStep } from '../../api/batch-plan.js';
import type { BatchWarning } from '../../api/batch-report.js';
import type { JobReport } from '../../api/job-report.js';
import type { ManifestFile } from '../../api/manifest.js';
import type { GenerateResult } from '../../api/result.js';
import type { StepCommits } from '../commit/step-commits.js';
import type { InputHashes } from '../ledger/ledger-step-state.js';
import { mergeFiles } from '../ledger/merge-files.js';
import type { Baseline } from './baseline.js';
import type { BatchState } from './batch-state.js';
import { updateInputHashes } from './input-hashes.js';
import { toAttemptResult, toStepResult } from './step-result.js';
import { WriteConflicts } from './write-conflicts.js';

export interface SharedAttemptsOptions {
  readonly state: BatchState;
  readonly baseline: Baseline | undefined;
  readonly commits: StepCommits;
  readonly warn: (warning: BatchWarning) => Promise<void>;
}

export interface SharedAttempt {
  readonly step: PlannedStep;
  readonly attempt: number;
  readonly key: string;
  /** Time that the attempt waited in the queue or for a slot. */
  readonly waitedMs?: number | undefined;
  readonly job?: JobReport | undefined;
  readonly generationId: string | undefined;
  /** Hashes of the step's inputs before the step, by path. */
  readonly inputs: InputHashes;
  readonly startedMs: number;
}

/** Writes the results of steps that have worked in the folder of the user: there is nothing to save or to merge. */
export class SharedAttempts {
  readonly #options: SharedAttemptsOptions;
  readonly #writeConflicts = new WriteConflicts();

  constructor(options: SharedAttemptsOptions) {
    this.#options = options;
  }

  async finish(attempt: SharedAttempt, given: GenerateResult): Promise<void> {
    const { state } = this.#options;
    const { step, attempt: number, waitedMs, job, key, generationId, startedMs } = attempt;
    const result = toAttemptResult(given);
    const { files, usage, cost, sessionId, repairs } = result;
    await this.#warnOfConflicts(step, files, startedMs);
    const stepResult = toStepResult(result, await this.#combineFiles(step, files));
    const inputs = updateInputHashes(attempt.inputs, files);
    const spent = { usage, cost };
    const ended = { step: step.id, attempt: number, generationId, repairs, sessionId, ...spent };
    // Both entries are written at once, so that they share one sync of the ledger.
    await Promise.all([
      state.write({ type: 'attempt', outcome: 'succeeded', waitedMs, job, ...ended }),
      state.write({ type: 'done', step: step.id, key, result: stepResult, inputs }),
    ]);
    await this.#options.commits.commit(step);
  }

  /** Combines the file changes of all attempts of the step. */
  async #combineFiles(
    { id }: PlannedStep,
    files: readonly ManifestFile[],
  ): Promise<readonly ManifestFile[]> {
    const { state, baseline } = this.#options;
    const { leftFiles, hasInterrupted } = state.stepState(id);
    const merged = leftFiles.length === 0 ? files : mergeFiles([...leftFiles, files]);
    if (!hasInterrupted || baseline === undefined) return merged;
    return baseline.correct(merged, state.writtenByBatch);
  }

  async #warnOfConflicts(
    { id: step }: PlannedStep,
    files: readonly ManifestFile[],
    startedMs: number,
  ): Promise<void> {
    const writing = { step, startedMs, endedMs: performance.now() };
    for (const warning of this.#writeConflicts.accept(writing, files))
      await this.#options.warn(warning);
  }
}
