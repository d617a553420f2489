import { findCycles } from './find-cycles.js';
import type { LinkedStep } from './linked-step.js';
import type { GivenNeed } from './need-template.js';
import type { ProblemList } from './problem-list.js';

const MOST_SHOWN = 20;

/** Reports steps that need each other, as a path of ids at the first of these steps. */
export function reportCycles(
  steps: readonly LinkedStep[],
  targets: readonly (readonly number[])[],
  problems: ProblemList,
): void {
  for (const cycle of findCycles(targets)) {
    const members = cycle.flatMap((index) => steps[index] ?? []);
    const [first] = members;
    if (first === undefined) continue;
    const path = describeCycle([...members, first].map(({ id }) => id));
    const problem = `is a dependency cycle: ${path}`;
    if (first.needs.length > 0) {
      problems.add([...first.at, 'needs'], first.needs.map(showNeed), problem);
    } else problems.add(first.promptAt, first.id, problem);
  }
}

/** Shows a need as the plan has it. */
function showNeed(need: GivenNeed): unknown {
  if (need.kind === 'template') return need.text;
  return need.kind === 'each' ? { each: need.id } : need.id;
}

/** Describes a cycle, shortened if it is long. */
function describeCycle(ids: readonly string[]): string {
  if (ids.length <= MOST_SHOWN) return ids.join(' -> ');
  return [...ids.slice(0, MOST_SHOWN - 1), '…', ids.at(-1)].join(' -> ');
}
