import { join } from 'node:path';
import type { BatchEvent } from '../../api/batch-event.js';
import type { ExpandedPlan, PlannedStep } from '../../api/batch-plan.js';
import type { BatchWarning } from '../../api/batch-report.js';
import type { ProviderConfig } from '../../api/provider-config.js';
import type { ContextKeys, ResponseProvider } from '../../api/response-provider.js';
import { ProviderError } from '../../base/errors/provider-error.js';
import { digestJson } from '../../base/json/digest-json.js';
import { isUnreachable } from '../../step/reachable-folders.js';
import { StepCommits } from '../commit/step-commits.js';
import { fillStepReferences } from '../plan/fill-step-references.js';
import { type AttemptSpending, NOTHING_SPENT, spendingOf } from './attempt-cost.js';
import { toAttemptError } from './attempt-error.js';
import { AttemptMerger, type UnmergedAttempt } from './attempt-merger.js';
import { AttemptStarts, type AttemptStartsOptions } from './attempt-starts.js';
import { AttemptWatch } from './attempt-watch.js';
import type { Baseline } from './baseline.js';
import type { BatchState } from './batch-state.js';
import { areInputsUnchanged, hashInputs } from './input-hashes.js';
import { isLeftBehind, LateWork } from './late-work.js';
import type { MergeOrder } from './merge-order.js';
import { MergeQueue } from './merge-queue.js';
import { runAttempt } from './run-attempt.js';
import type { EndedAttempt, RunningAttempt } from './running-attempt.js';
import { SharedAttempts } from './shared-attempts.js';
import { StepAnswers } from './step-answers.js';
import { keyOfStep } from './step-key.js';
import type { StepLane, StepOutcome } from './step-lane.js';

export interface StepRunnerOptions extends AttemptStartsOptions {
  readonly plan: ExpandedPlan;
  readonly state: BatchState;
  /** Id of the batch. Undefined for a batch that cannot be resumed: its steps have no idempotency keys. */
  readonly batch?: string | undefined;
  readonly provider: ResponseProvider;
  /** Returns keys for the context of the attempt that begins. */
  readonly contextOf?: ((stepId: string) => ContextKeys) | undefined;
  /** Configuration from outside of the plan, for all steps that do not set the same key. */
  readonly config?: ProviderConfig | undefined;
  readonly mergeOrder: MergeOrder;
  readonly baseline: Baseline | undefined;
  readonly stateDir: string;
  /** Folder for patches of changes that were not merged. Default: `kept` in `stateDir`. */
  readonly keptDir?: string | undefined;
  /** Throws if another run has taken over the batch. */
  readonly checkLease?: (() => Promise<void>) | undefined;
  readonly emit: (event: BatchEvent) => void;
  readonly warn: (warning: BatchWarning) => Promise<void>;
}

/** Runs one attempt of a step and writes its outcome to the ledger. Reuses a valid result of an earlier run. */
export class StepRunner {
  readonly #options: StepRunnerOptions;
  readonly #shared: SharedAttempts;
  readonly #merger: AttemptMerger;
  readonly #answers: StepAnswers;
  readonly #starts: AttemptStarts;
  readonly #commits: StepCommits;
  readonly #late = new LateWork();

  constructor(options: StepRunnerOptions) {
    this.#options = options;
    const { state, stateDir, keptDir = join(stateDir, 'kept'), warn } = options;
    const { mergeOrder: order, checkLease, emit } = options;
    const queue = new MergeQueue({ order, checkLease, emit });
    this.#commits = new StepCommits({ state, stateDir, warn });
    const commits = this.#commits;
    this.#shared = new SharedAttempts({ ...options, commits });
    this.#merger = new AttemptMerger({ state, stateDir, keptDir, queue, commits, warn });
    this.#answers = new StepAnswers(options.plan.steps, state);
    this.#starts = new AttemptStarts(options, this.#answers);
  }

  async run(step: PlannedStep, lane: StepLane): Promise<StepOutcome> {
    const { state } = this.#options;
    const { id } = step;
    await this.#late.finishStep(id, lane.signal);
    const prepared = this.#prepare(step);
    if (ProviderError.isInstance(prepared)) {
      return { kind: 'failed', error: prepared, spent: NOTHING_SPENT };
    }
    const { prompt, key } = prepared;
    if (await this.#isDone(step, key, lane.signal)) {
      // The line with the prompt may be damaged, although the result is not.
      state.stepState(id).prompt ??= prompt;
      await this.#commits.commitLate(step);
      return { kind: 'reused', spent: NOTHING_SPENT };
    }
    const earlier = await this.#mergeEarlier(step, key, lane);
    if (earlier !== undefined) return earlier;
    const { saved } = state.stepState(id);
    const { index, signal, model } = lane;
    const attempt = await this.#starts.begin(step, { key, prompt, lane: index, model, signal });
    this.#merger.dropEarlier(saved?.changes);
    const watch = new AttemptWatch({ step: id, attempt, state, emit: this.#options.emit });
    try {
      return await this.#attempt({ step, attempt, prompt, key, watch }, lane);
    } catch (thrown) {
      if (this.#isLeftToNextRun(step, thrown)) throw thrown;
      const { waitedMs, job, generationId } = watch;
      return this.#fail({ step, attempt, waitedMs, job, generationId }, thrown);
    }
  }

  /** Waits for what is left of ended attempts. Warns about what a cancelled batch does not wait for. */
  async finishLate(cancel: AbortSignal): Promise<void> {
    const warning = await this.#late.close(cancel);
    // The error of a ledger that cannot be written is that of the batch.
    if (warning !== undefined) await this.#options.warn(warning).catch(() => {});
  }

  /** Removes temporary files. */
  close(): Promise<void> {
    return this.#commits.close();
  }

  /** Merges the changes of an attempt that an earlier run has saved. Returns undefined if the step has to run. */
  async #mergeEarlier(
    step: PlannedStep,
    key: string,
    { signal, free }: StepLane,
  ): Promise<StepOutcome | undefined> {
    const saved = await this.#merger.openEarlier(step, key, signal).catch((error: unknown) => {
      if (ProviderError.isInstance(error)) return error;
      throw error;
    });
    if (saved === undefined) return undefined;
    // The batch was cancelled: the saved changes stay for the next run.
    if (ProviderError.isInstance(saved)) {
      return { kind: 'failed', error: saved, spent: NOTHING_SPENT };
    }
    // The agent has done its part in an earlier run, which has counted the tokens.
    free(NOTHING_SPENT);
    return this.#merge(saved, signal);
  }

  async #merge(unmerged: UnmergedAttempt, cancel: AbortSignal): Promise<StepOutcome> {
    const { changes, result } = unmerged;
    const { generationId, job = unmerged.job } = result;
    try {
      const merging = this.#merger.merge(unmerged, cancel);
      await this.#late.finishMerge(merging, unmerged.step.id, cancel);
      return { kind: 'succeeded', spent: this.#spendingOf(result, unmerged.step) };
    } catch (thrown) {
      if (this.#isLeftToNextRun(unmerged.step, thrown)) throw thrown;
      if (isLeftBehind(thrown)) return { kind: 'failed', error: thrown, spent: NOTHING_SPENT };
      const outcome = await this.#fail({ ...unmerged, job, generationId }, thrown);
      // The ledger says that the attempt has failed, and its patch is kept.
      await changes.drop();
      return outcome;
    }
  }

  /** True if the batch has to end because a file system does not answer. The next run merges the saved changes. */
  #isLeftToNextRun({ id }: PlannedStep, thrown: unknown): boolean {
    return isUnreachable(thrown) && this.#options.state.stepState(id).saved !== undefined;
  }

  /** Writes the failure of an attempt, also of one that has ended and whose changes could not be merged. */
  async #fail(
    { step, attempt, waitedMs, job, generationId: known }: EndedAttempt,
    thrown: unknown,
  ): Promise<StepOutcome> {
    const error = toAttemptError(thrown, known);
    const { generationId } = error;
    const { usage, sessionId, files } = error.partial ?? {};
    const spent = this.#spendingOf(error.partial, step);
    await this.#options.state.write({
      type: 'attempt',
      step: step.id,
      attempt,
      waitedMs,
      job: error.partial?.job ?? job,
      generationId,
      outcome: error.code,
      message: error.message,
      repairs: error.partial?.repairs ?? 0,
      usage,
      cost: spent.cost,
      sessionId,
      // Files of an isolated attempt are removed with its workspace.
      files: step.isolation === 'shared' ? files : undefined,
    });
    return { kind: 'failed', error, spent };
  }

  /** True if the step need not run, because the result of an earlier run is still valid. */
  async isUpToDate(step: PlannedStep, signal: AbortSignal): Promise<boolean> {
    if (!this.#answers.mayRun(step)) return false;
    const prepared = this.#prepare(step);
    return !ProviderError.isInstance(prepared) && this.#isDone(step, prepared.key, signal);
  }

  #prepare(step: PlannedStep): Pick<RunningAttempt, 'prompt' | 'key'> | ProviderError {
    try {
      const prompt = fillStepReferences(step.prompt, (id) => this.#answers.answerOf(step, id));
      const needed = step.needs.map((id) => this.#answers.resultOrState(id));
      const { plan, config } = this.#options;
      return { prompt, key: keyOfStep(step, prompt, { baseDir: plan.baseDir, config }, needed) };
    } catch (error) {
      if (ProviderError.isInstance(error)) return error;
      throw error;
    }
  }

  async #attempt(running: RunningAttempt, { signal, free, model }: StepLane): Promise<StepOutcome> {
    const { step, attempt, prompt, key, watch } = running;
    const { provider, contextOf, stateDir, batch, state } = this.#options;
    const { endings } = state.stepState(step.id);
    const startedMs = performance.now();
    const inputs = await hashInputs(step.inputs, signal);
    const success = await runAttempt({
      // The key of the step does not depend on the fallback model, so that a resumed batch reuses the result.
      step: model === undefined ? step : { ...step, config: { ...step.config, model } },
      attempt,
      prompt,
      provider,
      context: contextOf?.(step.id),
      stateDir,
      keptPatch: this.#merger.keptPatch(step),
      signal,
      late: this.#late,
      idempotencyKey: batch === undefined ? undefined : digestJson([batch, step.id, key, endings]),
      onEvent: (event) => watch.accept(event),
    });
    const spent = this.#spendingOf(success.result, step);
    const result = { ...success.result, ...(spent.cost && { cost: spent.cost }) };
    watch.generationId = result.generationId ?? watch.generationId;
    const { waitedMs, generationId } = watch;
    const job = result.job ?? watch.job;
    if (step.isolation === 'shared') {
      await this.#options.checkLease?.();
      const ended = { step, attempt, key, waitedMs, job, generationId, inputs, startedMs };
      await this.#shared.finish(ended, result);
      return { kind: 'succeeded', spent };
    }
    const ended = { step, attempt, waitedMs, job, key, inputs };
    const saving = this.#merger.save(ended, { ...success, result }, signal);
    const unmerged = await this.#late.finishSave(saving, { step: step.id, result, cancel: signal });
    free(spent);
    return this.#merge(unmerged, signal);
  }

  #spendingOf(output: Parameters<typeof spendingOf>[0], step: PlannedStep): AttemptSpending {
    return spendingOf(output, step, this.#options.config);
  }

  /** False after an abort: the attempt then fails with CANCELLED. */
  async #isDone(step: PlannedStep, key: string, signal?: AbortSignal): Promise<boolean> {
    const { done } = this.#options.state.stepState(step.id);
    if (done === undefined || done.key !== key) return false;
    const { writtenByBatch } = this.#options.state;
    const now = await hashInputs(step.inputs, signal).catch(() => undefined);
    return now !== undefined && areInputsUnchanged(now, done.inputs, writtenByBatch);
  }
}
