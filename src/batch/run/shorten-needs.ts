import type { PlannedStep } from '../../api/batch-plan.js';

/**
 * For what people and disks get to see: where a step needs all steps of a matrix, the id that the matrix has in the
 * plan stands for them. Of a thousand steps that need a thousand others, the lists would be a million ids.
 */
export function createNeedsShortener(
  steps: readonly PlannedStep[],
): (needs: readonly string[]) => readonly string[] {
  const planIds = new Map(steps.map(({ id, planId }) => [id, planId]));
  const sizes = countBy(steps.map(({ planId }) => planId));
  // Steps of a matrix share their list.
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
