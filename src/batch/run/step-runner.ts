import { join } from 'node:path';
import type { AgentEvent } from '../../api/agent-event.js';
import type { BatchEvent } from '../../api/batch-event.js';
import type { ExpandedPlan, PlannedStep } from '../../api/batch-plan.js';
import type { BatchWarning } from '../../api/batch-report.js';
import type { ManifestFile } from '../../api/manifest.js';
import type { ResponseProvider } from '../../api/response-provider.js';
import { ProviderError } from '../../base/errors/provider-error.js';
import { mergeFiles } from '../ledger/merge-files.js';
import { fillStepReferences } from '../plan/fill-step-references.js';
import { toAttemptError } from './attempt-error.js';
import type { Baseline } from './baseline.js';
import type { BatchState } from './batch-state.js';
import { areInputsUnchanged, hashInputs, updateInputHashes } from './input-hashes.js';
import { mergeAttempt } from './merge-attempt.js';
import type { MergeOrder } from './merge-order.js';
import { runAttempt } from './run-attempt.js';
import { safeName } from './safe-name.js';
import { StepAnswers } from './step-answers.js';
import { keyOfStep } from './step-key.js';
import { toStepResult } from './step-result.js';
import { WriteConflicts } from './write-conflicts.js';

export interface StepRunnerOptions {
  readonly plan: ExpandedPlan;
  readonly state: BatchState;
  readonly provider: ResponseProvider;
  /** Configuration from outside of the plan, for all steps that do not set the same key. */
  readonly config?: Readonly<Record<string, unknown>> | undefined;
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

export interface StepLane {
  /** Index of the lane, from 0. */
  readonly index: number;
  readonly signal: AbortSignal;
  /** Fallback model of the attempt. Undefined for the model of the step. */
  readonly model?: string | undefined;
  /** Gives the lane back when the agent has finished and the step may have to wait for its merge. Counts the tokens. */
  readonly free: (tokens: number) => void;
}

export type StepOutcome =
  | { readonly kind: 'succeeded' | 'reused'; readonly tokens: number }
  | { readonly kind: 'failed'; readonly error: ProviderError; readonly tokens: number };

/** Runs one attempt of a step and writes its outcome to the ledger. Reuses a valid result of an earlier run. */
export class StepRunner {
  readonly #options: StepRunnerOptions;
  readonly #writeConflicts = new WriteConflicts();
  readonly #answers: StepAnswers;

  constructor(options: StepRunnerOptions) {
    this.#options = options;
    this.#answers = new StepAnswers(options.plan.steps, options.state);
  }

  async run(step: PlannedStep, lane: StepLane): Promise<StepOutcome> {
    const { state } = this.#options;
    const { id } = step;
    const prepared = this.#prepare(step);
    if (ProviderError.isInstance(prepared)) return { kind: 'failed', error: prepared, tokens: 0 };
    const { prompt, key } = prepared;
    if (await this.#isDone(step, key, lane.signal)) {
      // The line with the prompt may be damaged, although the result is not.
      state.stepState(id).prompt ??= prompt;
      return { kind: 'reused', tokens: 0 };
    }
    const attempt = state.stepState(id).attempts.length + 1;
    // The entry is written before the step can touch a file: after a kill, the next run must know of the attempt.
    const model = lane.model ?? this.#modelOf(step);
    await state.write({ type: 'start', step: id, attempt, lane: lane.index, key, prompt, model });
    this.#options.emit({ type: 'step-started', stepId: id, attempt, lane: lane.index });
    const running: Attempt = { step, attempt, prompt, key, generationId: undefined };
    try {
      return await this.#attempt(running, lane);
    } catch (thrown) {
      const error = toAttemptError(thrown, running.generationId);
      const { generationId } = error;
      const { usage, sessionId, files } = error.partial ?? {};
      await state.write({
        type: 'attempt',
        step: id,
        attempt,
        generationId,
        outcome: error.code,
        message: error.message,
        repairs: error.partial?.repairs ?? 0,
        usage,
        sessionId,
        // Files of an isolated attempt are removed with its workspace.
        files: step.isolation === 'shared' ? files : undefined,
      });
      return { kind: 'failed', error, tokens: usage?.total ?? 0 };
    }
  }

  /** True if the step need not run, because the result of an earlier run is still valid. */
  async isUpToDate(step: PlannedStep, signal: AbortSignal): Promise<boolean> {
    if (!this.#answers.mayRun(step)) return false;
    const prepared = this.#prepare(step);
    return !ProviderError.isInstance(prepared) && this.#isDone(step, prepared.key, signal);
  }

  #prepare(step: PlannedStep): Pick<Attempt, 'prompt' | 'key'> | ProviderError {
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

  async #attempt(running: Attempt, { signal, free, model }: StepLane): Promise<StepOutcome> {
    const { step, attempt, prompt, key } = running;
    const { state, provider, stateDir, mergeOrder, emit } = this.#options;
    const startedMs = performance.now();
    const { keptDir = join(stateDir, 'kept') } = this.#options;
    const keptPatch = join(keptDir, `${safeName(step.id)}.patch`);
    const read = await hashInputs(step.inputs, signal);
    const success = await runAttempt({
      // The key of the step does not depend on the fallback model, so that a resumed batch reuses the result.
      step: model === undefined ? step : { ...step, config: { ...step.config, model } },
      attempt,
      prompt,
      provider,
      stateDir,
      keptPatch,
      signal,
      onEvent: (event) => {
        emit({ type: 'step-progress', stepId: step.id, event });
        this.#nameGeneration(running, event);
      },
    });
    const { result, workspace } = success;
    running.generationId = result.generationId ?? running.generationId;
    try {
      if (step.isolation !== 'shared') free(result.usage?.total ?? 0);
      await mergeOrder.wait(step);
      await this.#options.checkLease?.();
      const workingDir = String(step.config['workingDir']);
      const { files, warnings } = await mergeAttempt(success, workingDir, keptPatch);
      await this.#warnOfConflicts(step, files, startedMs);
      const { generationId } = running;
      const { usage, sessionId, repairs } = result;
      const stepResult = {
        ...toStepResult(result, await this.#combineFiles(step, files)),
        warnings: [...result.warnings, ...warnings],
      };
      const inputs = updateInputHashes(read, files);
      const outcome = 'succeeded';
      // Both entries are written at once, so that they share one sync of the ledger.
      await Promise.all([
        state.write({
          type: 'attempt',
          step: step.id,
          attempt,
          generationId,
          outcome,
          repairs,
          usage,
          sessionId,
        }),
        state.write({
          type: 'done',
          step: step.id,
          key,
          result: stepResult,
          inputs,
          merge: workspace.id,
        }),
      ]);
      workspace.keepMerge();
      return { kind: 'succeeded', tokens: usage?.total ?? 0 };
    } finally {
      // Without `keepMerge()`, `dispose` reverts the merge: the ledger has no `done` line, so the step runs again.
      await workspace.dispose().catch(() => {});
    }
  }

  /** Writes the id of the first event that has one: if the batch is killed, the ledger still names it. */
  #nameGeneration(running: Attempt, event: AgentEvent): void {
    const { generationId } = event;
    // Events of a foreign provider are not checked by a compiler.
    if (typeof generationId !== 'string' || running.generationId !== undefined) return;
    running.generationId = generationId;
    const { step, attempt } = running;
    const entry = { type: 'generation' as const, step: step.id, attempt, generationId };
    // The events of the step do not wait for the disk. A ledger that fails here also fails at the end of the attempt.
    this.#options.state.write(entry).catch(() => {});
  }

  /** False after an abort: the attempt then fails with CANCELLED. */
  async #isDone(step: PlannedStep, key: string, signal?: AbortSignal): Promise<boolean> {
    const { done } = this.#options.state.stepState(step.id);
    if (done === undefined || done.key !== key) return false;
    const now = await hashInputs(step.inputs, signal).catch(() => undefined);
    return (
      now !== undefined && areInputsUnchanged(now, done.inputs, this.#options.state.writtenByBatch)
    );
  }

  /** Combines the file changes of all attempts of the step. */
  async #combineFiles(
    { id, isolation }: PlannedStep,
    files: readonly ManifestFile[],
  ): Promise<readonly ManifestFile[]> {
    const { state, baseline } = this.#options;
    // Changes of earlier isolated attempts were removed with their workspaces.
    if (isolation !== 'shared') return files;
    const { leftFiles, hasInterrupted } = state.stepState(id);
    const merged = leftFiles.length === 0 ? files : mergeFiles([...leftFiles, files]);
    if (!hasInterrupted || baseline === undefined) return merged;
    return baseline.correct(merged, state.writtenByBatch);
  }

  async #warnOfConflicts(
    { id: step, isolation }: PlannedStep,
    files: readonly ManifestFile[],
    startedMs: number,
  ): Promise<void> {
    if (isolation !== 'shared') return;
    const writing = { step, startedMs, endedMs: performance.now() };
    for (const warning of this.#writeConflicts.accept(writing, files))
      await this.#options.warn(warning);
  }

  #modelOf({ config }: PlannedStep): string | undefined {
    const model = config['model'] ?? this.#options.config?.['model'];
    return typeof model === 'string' ? model : undefined;
  }
}

interface Attempt {
  readonly step: PlannedStep;
  readonly attempt: number;
  readonly prompt: string;
  readonly key: string;
  /** Generation id from the first event that has one. */
  generationId: string | undefined;
}
