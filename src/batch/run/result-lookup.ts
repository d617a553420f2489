import type { PlannedStep } from '../../api/batch-plan.js';
import type { StepState } from '../../api/step-report.js';
import type { StepAnswer } from '../plan/fill-step-references.js';

/**
 * Creates the lookup for `fillStepReferences`: finds the answer of a step by its id. The plan id of a matrix gives the
 * answers of all its steps: texts with a blank line between them, each file once, data as a list, errors on lines.
 */
export function createResultLookup(
  steps: readonly PlannedStep[],
  resultOf: (id: string) => StepAnswer,
): (id: string) => StepAnswer {
  const idsOfMatrix = new Map<string, string[]>();
  for (const { id, planId } of steps) {
    if (id === planId) continue;
    const ids = idsOfMatrix.get(planId);
    if (ids === undefined) idsOfMatrix.set(planId, [id]);
    else ids.push(id);
  }
  return (id) => {
    const ids = idsOfMatrix.get(id);
    return ids === undefined ? resultOf(id) : joinAnswers(ids.map((one) => resultOf(one)));
  };
}

function joinAnswers(answers: readonly StepAnswer[]): StepAnswer {
  return {
    text: answers.map(({ text }) => text).join('\n\n'),
    files: [...new Set(answers.flatMap(({ files }) => files))],
    data: answers.map(({ data }) => data ?? null),
    state: joinStates(answers.map(({ state = 'succeeded' }) => state)),
    error: answers.flatMap(({ error = '' }) => (error === '' ? [] : [error])).join('\n'),
  };
}

/** State of a matrix: `failed` if one of its steps failed, `skipped` if all were skipped. */
function joinStates(states: readonly StepState[]): StepState {
  const order: readonly StepState[] = ['failed', 'succeeded', 'skipped'];
  return order.find((state) => states.includes(state)) ?? 'succeeded';
}
