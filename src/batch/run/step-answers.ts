import type { PlannedStep } from '../../api/batch-plan.js';
import type { StepSkip, StepState } from '../../api/step-report.js';
import type { StepResult } from '../ledger/ledger-entry.js';
import { evaluateCondition } from '../plan/condition/evaluate-condition.js';
import { parseCondition } from '../plan/condition/parse-condition.js';
import { followPath, type StepAnswer } from '../plan/fill-step-references.js';
import type { StepReference } from '../plan/step-reference.js';
import type { BatchState } from './batch-state.js';
import { createResultLookup } from './result-lookup.js';

/** Answers of the steps that are over, as prompts and conditions of later steps see them. */
export class StepAnswers {
  readonly #state: BatchState;
  readonly #answerOf: (id: string) => StepAnswer;
  readonly #continuing: ReadonlySet<string>;

  constructor(steps: readonly PlannedStep[], state: BatchState) {
    this.#state = state;
    this.#answerOf = createResultLookup(steps, (id) => this.#read(id));
    this.#continuing = new Set(
      steps.flatMap(({ id, continueOnError }) => (continueOnError === true ? [id] : [])),
    );
  }

  /** Returns the answer that a reference in this step means: that of its element, if the step needs one of a matrix. */
  answerOf({ elements }: PlannedStep, id: string): StepAnswer {
    const isElement = elements !== undefined && Object.hasOwn(elements, id);
    return this.#answerOf((isElement ? elements[id] : undefined) ?? id);
  }

  /** Returns the result of a step, or the state of a step that has none. */
  resultOrState(id: string): StepResult | StepState {
    const state = this.#state.stateOf(id);
    const { done } = this.#state.stepState(id);
    return state === 'succeeded' && done !== undefined ? done.result : state;
  }

  /** Returns why a step with a false condition is skipped; undefined if the condition is true or absent. */
  findSkip(step: PlannedStep): StepSkip | undefined {
    const { when } = step;
    if (when === undefined) return undefined;
    const { condition } = parseCondition(when);
    if (evaluateCondition(condition, (reference) => this.#readField(step, reference))) {
      return undefined;
    }
    return { reason: 'condition', message: `The condition is false: ${when}` };
  }

  /** True if the needs of the step are met by steps that are over, and its condition is true. */
  mayRun(step: PlannedStep): boolean {
    const tolerated = new Set(step.tolerates);
    return (
      step.needs.every((id) => {
        const state = this.#state.stateOf(id);
        if (state === 'succeeded') return true;
        if (state === 'failed') return this.#continuing.has(id) || tolerated.has(id);
        return state === 'skipped' && tolerated.has(id);
      }) && this.findSkip(step) === undefined
    );
  }

  #readField(step: PlannedStep, { id, field, path }: StepReference): unknown {
    const { state = 'succeeded', error = '', text, files, data } = this.answerOf(step, id);
    return field === 'data' ? followPath(data, path) : { state, error, text, files }[field];
  }

  #read(id: string): StepAnswer {
    const result = this.resultOrState(id);
    if (typeof result === 'string') {
      const { error } = this.#state.stepState(id);
      return {
        text: '',
        files: [],
        state: result,
        error: error === undefined ? '' : `${error.code}: ${error.message}`,
      };
    }
    const { text = '', files, data } = result;
    return { text, files: files.map(({ path }) => path), data };
  }
}
