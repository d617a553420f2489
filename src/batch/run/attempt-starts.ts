import type { BatchEvent } from '../../api/batch-event.js';
import type { ExpandedPlan, PlannedStep } from '../../api/batch-plan.js';
import type { ProviderConfig } from '../../api/provider-config.js';
import type { KeyParts } from '../ledger/ledger-entry.js';
import type { BatchState } from './batch-state.js';
import { findChangedInputs, hashInputs } from './input-hashes.js';
import { createPartsOf, type PartsOf } from './key-parts.js';
import { findRerunReason, type RerunReason } from './rerun-reason.js';
import type { StepAnswers } from './step-answers.js';

export interface AttemptStartsOptions {
  readonly plan: Pick<ExpandedPlan, 'baseDir'>;
  /** Configuration from outside of the plan, for all steps that do not set the same key. */
  readonly config?: ProviderConfig | undefined;
  readonly state: BatchState;
  /** Called before each attempt. Throws if no step can run. */
  readonly checkStart?: ((step: PlannedStep, signal: AbortSignal) => Promise<void>) | undefined;
  readonly emit: (event: BatchEvent) => void;
}

interface Start {
  readonly key: string;
  readonly prompt: string;
  readonly lane: number;
  /** Model of this attempt, if it is not that of the step. */
  readonly model?: string | undefined;
  readonly signal: AbortSignal;
}

/** Begins the attempts of a run: checks that steps can run, and tells ledger and caller why each one runs. */
export class AttemptStarts {
  readonly #options: AttemptStartsOptions;
  readonly #answers: StepAnswers;
  readonly #partsOf: PartsOf;
  readonly #started = new Set<string>();

  constructor(options: AttemptStartsOptions, answers: StepAnswers) {
    const { plan, config } = options;
    this.#options = options;
    this.#answers = answers;
    this.#partsOf = createPartsOf({ baseDir: plan.baseDir, config });
  }

  /** Writes the start of an attempt to the ledger. Returns the number of the attempt. */
  async begin(step: PlannedStep, { key, prompt, lane, signal, ...given }: Start): Promise<number> {
    const { state, checkStart, emit } = this.#options;
    await checkStart?.(step, signal);
    const { id } = step;
    const attempt = state.stepState(id).attempts.length + 1;
    const needed = step.needs.map((need) => this.#answers.resultOrState(need));
    const parts = this.#partsOf(step, needed);
    const model = given.model ?? this.#modelOf(step);
    const why = await this.#explain(step, key, parts, signal);
    // The entry is written before the step can touch a file: after a kill, the next run must know of the attempt.
    const start = { step: id, attempt, lane, key, prompt, model, parts, ...why };
    await state.write({ type: 'start', ...start });
    emit({ type: 'step-started', stepId: id, attempt, lane, ...why, ...(model && { model }) });
    return attempt;
  }

  #modelOf({ config }: PlannedStep): string | undefined {
    const model = config['model'] ?? this.#options.config?.['model'];
    return typeof model === 'string' ? model : undefined;
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
        return findChangedInputs(
          now,
          (known.done ?? known.saved)?.inputs ?? {},
          state.writtenByBatch,
        );
      },
    });
  }
}
