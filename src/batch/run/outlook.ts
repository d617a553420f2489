import type { StepSelection } from '../../api/batch-options.js';
import type { ExpandedPlan, PlannedStep } from '../../api/batch-plan.js';
import type { ProviderConfig } from '../../api/provider-config.js';
import type { StepSkip, StepState } from '../../api/step-report.js';
import { ProviderError } from '../../base/errors/provider-error.js';
import { readSaved } from '../isolation/saved-changes.js';
import type { StepResult } from '../ledger/ledger-entry.js';
import type { LedgerStepState } from '../ledger/ledger-step-state.js';
import { parseCondition } from '../plan/condition/parse-condition.js';
import { fillStepReferences } from '../plan/fill-step-references.js';
import { orderSteps } from '../plan/order-steps.js';
import type { BatchState } from './batch-state.js';
import { findChangedInputs, hashInputs } from './input-hashes.js';
import { createPartsOf, type PartsOf } from './key-parts.js';
import { toPlanEntry } from './plan-entry.js';
import { compareParts, describeRerun, findRerunReason, type RerunReason } from './rerun-reason.js';
import { selectSteps } from './select-steps.js';
import { StepAnswers } from './step-answers.js';
import { keyOfStep, type StepKeyInputs } from './step-key.js';

/**
 * What a run would do with a step. `merge`: an attempt has succeeded in an earlier run, which has saved its changes and
 * not merged them. `may run`: the step has a result or saved changes, and needs a step that runs or is merged; it runs if
 * that step has another result than before. Or its condition, or that of a step that it needs, asks for the result of such
 * a step.
 */
export type StepAction = 'run' | 'may run' | 'merge' | 'reuse' | 'skip';

/** Outlook of one step. */
export interface StepOutlook extends RerunReason {
  readonly id: string;
  readonly planId: string;
  readonly action: StepAction;
  /** Why, in words. Empty if a result is reused, or if the reason is not known. */
  readonly message: string;
}

/** What a run of a batch would do. */
export interface BatchOutlook {
  /** Outlooks of all steps, in the order of the plan. */
  readonly steps: readonly StepOutlook[];
  readonly counts: Readonly<Record<StepAction, number>>;
  /** Ids of steps that were not selected and run too, because a selected step needs them. */
  readonly added: readonly string[];
}

export interface OutlookRequest {
  readonly plan: ExpandedPlan;
  readonly selection: StepSelection;
  /** Configuration from outside of the plan. */
  readonly config?: ProviderConfig | undefined;
  /** Folder with the changes that earlier runs have saved. */
  readonly stateDir: string;
  /** State before the run, in memory. The outlook changes it as the run would. */
  readonly state: BatchState;
}

/** Finds out what a run would do, without running anything. Reads the inputs of steps that have results. */
export async function createOutlook(request: OutlookRequest): Promise<BatchOutlook> {
  const { plan, selection, state } = request;
  const chosen = selectSteps(plan.steps, selection, (id) => state.stepState(id));
  const { selected, added, leftOut } = chosen;
  await state.write(toPlanEntry(plan, { leftOut }));
  const forecast = new Forecast(request, selected);
  for (const step of orderSteps(plan.steps)) await forecast.add(step);
  const steps = plan.steps.map(({ id }) => forecast.of(id));
  const counts = { run: 0, 'may run': 0, merge: 0, reuse: 0, skip: 0 };
  for (const { action } of steps) counts[action]++;
  return { steps, counts, added };
}

const MERGE = { action: 'merge', message: 'finished in an earlier run' } as const;

/** Outlooks of the steps, each after those of the steps that it needs. */
class Forecast {
  readonly #state: BatchState;
  readonly #stateDir: string;
  readonly #selected: ReadonlySet<string>;
  readonly #inputs: StepKeyInputs;
  readonly #partsOf: PartsOf;
  readonly #answers: StepAnswers;
  readonly #outlooks = new Map<string, StepOutlook>();
  /** Ids of steps that are skipped if a condition turns out to be false. */
  readonly #uncertain = new Set<string>();

  constructor({ plan, config, state, stateDir }: OutlookRequest, selected: ReadonlySet<string>) {
    this.#state = state;
    this.#stateDir = stateDir;
    this.#selected = selected;
    this.#inputs = { baseDir: plan.baseDir, config };
    this.#partsOf = createPartsOf(this.#inputs);
    this.#answers = new StepAnswers(plan.steps, state);
  }

  of(id: string): StepOutlook {
    const known = this.#outlooks.get(id);
    if (known === undefined) throw new Error(`Step ${id} has no outlook yet`);
    return known;
  }

  async add(step: PlannedStep): Promise<void> {
    const { id, planId } = step;
    this.#outlooks.set(id, { id, planId, ...(await this.#foresee(step)) });
  }

  async #foresee(step: PlannedStep): Promise<Omit<StepOutlook, 'id' | 'planId'>> {
    if (!this.#selected.has(step.id)) return { action: 'skip', message: 'not selected' };
    const { done, saved } = this.#state.stepState(step.id);
    const running = step.needs.filter((id) => {
      const { action = 'skip' } = this.#outlooks.get(id) ?? {};
      return action !== 'skip' && action !== 'reuse';
    });
    const skip = this.#findSkip(step, running);
    if (skip !== undefined) {
      await this.#state.write({ type: 'skipped', step: step.id, skip });
      return { action: 'skip', message: skip.message };
    }
    const message = `depends on ${running.slice(0, 3).join(', ')}`;
    const mayRun = { action: 'may run', reason: 'needs', changed: running, message } as const;
    if (this.#isUncertain(step, running)) {
      this.#uncertain.add(step.id);
      return mayRun;
    }
    const isOpen = (done ?? saved) !== undefined && running.length > 0;
    const why = await (isOpen ? this.#compareOwn(step) : this.#compare(step));
    if (why !== undefined) return { action: 'run', ...why, message: describeRerun(why) };
    if (isOpen) return mayRun;
    return done === undefined ? MERGE : { action: 'reuse', message: '' };
  }

  /** Returns why a step is skipped; undefined if it is not, or if that depends on a step that runs. */
  #findSkip(step: PlannedStep, running: readonly string[]): StepSkip | undefined {
    const need = step.needs.find((id) => {
      const isSkipped = this.#selected.has(id) && this.#outlooks.get(id)?.action === 'skip';
      return isSkipped && step.tolerates?.includes(id) !== true;
    });
    if (need !== undefined) return { reason: 'need', message: `needs ${need}`, stepId: need };
    return this.#asksFor(step, running) ? undefined : this.#answers.findSkip(step);
  }

  /** True if the step is skipped or not by the result of a step that runs. */
  #isUncertain(step: PlannedStep, running: readonly string[]): boolean {
    const isTolerated = (id: string): boolean => step.tolerates?.includes(id) === true;
    if (running.some((id) => this.#uncertain.has(id) && !isTolerated(id))) return true;
    return this.#asksFor(step, running);
  }

  /** True if the condition of the step refers to one of these steps, or to the matrix of one. */
  #asksFor({ when }: PlannedStep, ids: readonly string[]): boolean {
    if (when === undefined || ids.length === 0) return false;
    const asked = new Set(parseCondition(when).references.map(({ id }) => id));
    return ids.some((id) => asked.has(id) || asked.has(this.of(id).planId));
  }

  /** Returns why a step runs whose needs do not change; undefined if its result is reused or its saved changes are merged. */
  async #compare(step: PlannedStep): Promise<RerunReason | undefined> {
    const known = this.#state.stepState(step.id);
    const { isDamaged } = this.#state;
    const needed = step.needs.map((id) => this.#answers.resultOrState(id));
    const parts = this.#partsOf(step, needed);
    const earlier = known.done ?? known.saved;
    const key = earlier === undefined ? '' : this.#keyOf(step, needed);
    const changed = await this.#changedInputs(step);
    const isValid = earlier?.key === key && changed.length === 0;
    if (isValid && (known.done !== undefined || (await this.#isIntact(known)))) return undefined;
    const findChanged = async () => changed;
    const request = { known, key, parts, isRetry: false, isDamaged };
    return findRerunReason({ ...request, findChangedInputs: findChanged });
  }

  /** True if the saved changes of a step can be merged. */
  async #isIntact({ saved }: LedgerStepState): Promise<boolean> {
    if (saved === undefined) return false;
    return (await readSaved(this.#stateDir, saved.changes)) !== undefined;
  }

  /** Returns why a step runs, whatever the steps that it needs will answer; undefined if that decides. */
  async #compareOwn(step: PlannedStep): Promise<RerunReason | undefined> {
    const { parts: before } = this.#state.stepState(step.id);
    if (before !== undefined) {
      const why = compareParts(before, { ...this.#partsOf(step, []), needs: before.needs });
      if (why.reason !== undefined) return why;
    }
    const changed = await this.#changedInputs(step);
    return changed.length === 0 ? undefined : { reason: 'inputs', changed };
  }

  /** Returns an empty key if the prompt refers to a value that no result has: such a step runs, and fails. */
  #keyOf(step: PlannedStep, needed: readonly (StepResult | StepState)[]): string {
    try {
      const prompt = fillStepReferences(step.prompt, (id) => this.#answers.answerOf(step, id));
      return keyOfStep(step, prompt, this.#inputs, needed);
    } catch (error) {
      if (ProviderError.isInstance(error)) return '';
      throw error;
    }
  }

  async #changedInputs(step: PlannedStep): Promise<readonly string[]> {
    const { done, saved } = this.#state.stepState(step.id);
    const earlier = done ?? saved;
    if (earlier === undefined) return [];
    const now = await hashInputs(step.inputs);
    return findChangedInputs(now, earlier.inputs, this.#state.writtenByBatch);
  }
}
