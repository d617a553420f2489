import type { BatchFile } from '../../../../api/batch-report.js';
import type { StepReport } from '../../../../api/step-report.js';
import type { FilesRoute, StepOrder, StepsRoute } from './route.js';
import type { SearchIndex } from './search.js';
import { tokensOfStep } from './step-tokens.js';

/** Returns the steps that a route shows, in the order of the route. */
export function filterSteps(search: SearchIndex, route: StepsRoute): readonly StepReport[] {
  const found = search.findSteps(route.query);
  const shown =
    route.state === undefined ? found : found.filter(({ state }) => state === route.state);
  return sortSteps(shown, route.order);
}

export function filterFiles(search: SearchIndex, route: FilesRoute): readonly BatchFile[] {
  const found = search.findFiles(route.query);
  if (route.filter === undefined) return found;
  if (route.filter === 'conflicts') return found.filter(({ conflicts }) => conflicts.length > 0);
  if (route.filter === 'sensitive') return found.filter(isSensitive);
  return found.filter(({ kind }) => kind === route.filter);
}

export function isSensitive({ sensitive }: Pick<BatchFile, 'sensitive'>): boolean {
  return sensitive !== undefined;
}

const MEASURES: Readonly<Record<Exclude<StepOrder, 'plan'>, (step: StepReport) => number>> = {
  duration: ({ durationMs }) => durationMs,
  tokens: (step) => tokensOfStep(step).total,
  attempts: ({ attempts }) => attempts.length,
};

/** Sorts steps, greatest value first. Steps with equal values stay in the order of the plan. */
export function sortSteps(steps: readonly StepReport[], order: StepOrder): readonly StepReport[] {
  if (order === 'plan') return steps;
  const measure = MEASURES[order];
  return steps
    .map((step) => ({ step, size: measure(step) }))
    .sort((one, other) => other.size - one.size)
    .map(({ step }) => step);
}
