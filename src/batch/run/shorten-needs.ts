import type { PlannedStep } from '../../api/batch-plan.js';

/**
 * Creates a function that shortens lists of needs for the ledger and the reports: if a step needs all steps of a
 * matrix, the plan id of the matrix replaces their ids. A thousand steps that need a thousand others would list a
 * million ids.
 */
export function createNeedsShortener(
  steps: readonly PlannedStep[],
): (needs: readonly string[]) => readonly string[] {
  const planIds = new Map(steps.map(({ id, planId }) => [id, planId]));
  const sizes = countBy(steps.map(({ planId }) => planId));
  // Steps of a matrix share one list of needs, so each list is shortened once.
  const known = new Map<readonly string[], readonly string[]>();
  const planIdOf = (id: string): string => planIds.get(id) ?? id;
  const shorten = (needs: readonly string[]): readonly string[] => {
    const needed = countBy([...new Set(needs)].map(planIdOf));
    const names = needs.map((id) => {
      const planId = planIdOf(id);
      return needed.get(planId) === sizes.get(planId) ? planId : id;
    });
    return [...new Set(names)];
  };
  return (needs) => {
    const short = known.get(needs) ?? shorten(needs);
    known.set(needs, short);
    return short;
  };
}

function countBy(names: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}
