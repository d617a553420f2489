import type { PlannedStep } from '../../api/batch-plan.js';
import { ProviderError } from '../../base/errors/provider-error.js';
import { StepGraph } from './step-graph.js';

/**
 * Returns the steps in their order, but each after the steps it needs. Needs that are not among the steps count as met.
 * Throws INVALID_CONFIG if steps need each other.
 */
export function orderSteps(steps: readonly PlannedStep[]): readonly PlannedStep[] {
  const graph = new StepGraph(steps);
  const ordered: PlannedStep[] = [];
  for (let step = graph.take(); step !== undefined; step = graph.take()) {
    ordered.push(step);
    graph.succeed(step);
  }
  if (ordered.length < steps.length) throw createCycleError(steps, ordered);
  return ordered;
}

function createCycleError(
  steps: readonly PlannedStep[],
  ordered: readonly PlannedStep[],
): ProviderError {
  const done = new Set(ordered);
  const left = steps.filter((step) => !done.has(step)).map(({ id }) => id);
  return new ProviderError({
    code: 'INVALID_CONFIG',
    message: `${left.length} steps need each other, among them ${left[0]}`,
    hint: 'Remove one of the `needs` of these steps.',
  });
}
