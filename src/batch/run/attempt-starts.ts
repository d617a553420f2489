import type { BatchEvent } from '../../api/batch-event.js';
import type { ExpandedPlan, PlannedStep } from '../../api/batch-plan.js';
import type { KeyParts, StepResult } from '../ledger/ledger-entry.js';
import type { BatchState } from './batch-state.js';
import { findChangedInputs, hashInputs } from './input-hashes.js';
import { createPartsOf, type PartsOf } from './key-parts.js';
import { findRerunReason, type RerunReason } from './rerun-reason.js';

export interface AttemptStartsOptions {
  readonly plan: Pick<ExpandedPlan, 'baseDir'>;
  /** Configuration from outside of the plan, for all steps that do not set the same key. */
  readonly config?: Readonly<Record<string, unknown>> | undefined;
  readonly state: BatchState;
  /** Called before each attempt. Throws if no step can run. */
  readonly checkStart?: ((step: PlannedStep) => Promise<void>) | undefined;
  readonly emit: (event: BatchEvent) => void;
}

interface Start {
  readonly key: string;
  readonly prompt: string;
  readonly lane: number;
  readonly signal: AbortSignal;
}

/** Begins the attempts of a run: checks that steps can run, and tells ledger and caller why each one runs. */
export class AttemptStarts {
  readonly #options: AttemptStartsOptions;
  readonly #partsOf: PartsOf;
  readonly #started = new Set<string>();

  constructor(options: AttemptStartsOptions) {
    const { plan, config } = options;
    this.#options = options;
    this.#partsOf = createPartsOf({ baseDir: plan.baseDir, config });
  }

  /** Writes the start of an attempt to the ledger. Returns the number of the attempt. */
  async begin(step: PlannedStep, { key, prompt, lane, signal }: Start): Promise<number> {
    const { state, checkStart, emit } = this.#options;
    await checkStart?.(step);
    const { id } = step;
    const attempt = state.stepState(id).attempts.length + 1;
    const parts = this.#findParts(step);
    const why = await this.#explain(step, key, parts, signal);
    // The entry is written before the step can touch a file: after a kill, the next run must know of the attempt.
    await state.write({ type: 'start', step: id, attempt, lane, key, prompt, parts, ...why });
    emit({ type: 'step-started', stepId: id, attempt, lane, ...why });
    return attempt;
  }

  #findParts(step: PlannedStep): KeyParts {
    const { state } = this.#options;
    const needed = step.needs.flatMap((id): StepResult[] => {
      const { done } = state.stepState(id);
      return done === undefined ? [] : [done.result];
    });
    return this.#partsOf(step, needed);
  }

  async #explain(
    step: PlannedStep,
    key: string,
    parts: KeyParts,
    signal: AbortSignal,
  ): Promise<RerunReason> {
    const { state } = this.#options;
    const known = state.stepState(step.id);
    const isRetry = this.#started.has(step.id);
    this.#started.add(step.id);
    return findRerunReason({
      known,
      key,
      parts,
      isRetry,
      isDamaged: state.isDamaged,
      findChangedInputs: async () => {
        const now = await hashInputs(step.inputs, signal).catch(() => ({}));
        return findChangedInputs(now, known.done?.inputs ?? {}, state.writtenByBatch);
      },
    });
  }
}
