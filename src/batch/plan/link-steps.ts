import { createSuggest } from '../../base/text/nearest-name.js';
import { findCycles } from './find-cycles.js';
import type { PlanPath } from './plan-source.js';
import type { ProblemList } from './problem-list.js';
import type { StepReference } from './step-reference.js';

const MOST_SHOWN = 20;
const MOST_COMPARISONS = 200_000;

/** A step of the plan with its expanded ids and its dependencies. */
export interface LinkedStep {
  readonly at: PlanPath;
  readonly id: string;
  /** Path of the step's prompt in the plan. */
  readonly promptAt: PlanPath;
  readonly needs: readonly string[];
  readonly references: readonly StepReference[];
  /** Ids of the expanded steps. */
  readonly ids: readonly string[];
  readonly isMatrix: boolean;
  readonly hasData: boolean;
}

/**
 * Returns for each step the ids of the expanded steps that it needs, including those that its prompt refers to. Steps
 * with the same needs share one list: without that, two matrices would need memory for the product of their sizes.
 */
export function linkSteps(
  steps: readonly LinkedStep[],
  problems: ProblemList,
): readonly (readonly string[])[] {
  const indexOf = indexSteps(steps, problems);
  const indexOfExpanded = new Map(
    steps.flatMap(({ isMatrix, ids }, index) =>
      isMatrix ? ids.map((id): [string, number] => [id, index]) : [],
    ),
  );
  const suggest = createSuggest(indexOf.keys(), MOST_COMPARISONS);
  const targets: number[][] = [];
  const lists = new Map<string, readonly string[]>();

  const needsOf = steps.map((step, own) => {
    const names = new Set<string>();
    const reached = new Set<number>();
    const addNeed = (name: string, at: PlanPath, shown: string): number | undefined => {
      const index = indexOf.get(name) ?? indexOfExpanded.get(name);
      if (index === undefined) {
        problems.add(at, shown, `no step has the id "${name}"${suggest(name)}`);
      } else if (index === own) {
        problems.add(at, shown, 'refers to the step itself');
      } else {
        names.add(name);
        reached.add(index);
        return index;
      }
      return undefined;
    };
    for (const [position, name] of step.needs.entries()) {
      addNeed(name, [...step.at, 'needs', position], name);
    }
    for (const reference of step.references) {
      const shown = `{{steps.${reference.id}.${reference.field}}}`;
      const index = addNeed(reference.id, step.promptAt, shown);
      if (index === undefined || reference.field !== 'data' || steps[index]?.hasData) continue;
      problems.add(step.promptAt, shown, `step "${reference.id}" has no data without expects.json`);
    }
    targets.push([...reached]);
    const [first, second] = names;
    const matrix = indexOf.get(first ?? '');
    if (second === undefined && matrix !== undefined) return steps[matrix]?.ids ?? [];
    const key = JSON.stringify([...names]);
    const list = lists.get(key) ?? [
      ...new Set([...names].flatMap((name) => expand(name, indexOf, steps))),
    ];
    lists.set(key, list);
    return list;
  });
  reportCycles(steps, targets, problems);
  return needsOf;
}

function expand(
  name: string,
  indexOf: ReadonlyMap<string, number>,
  steps: readonly LinkedStep[],
): readonly string[] {
  const index = indexOf.get(name);
  return (index === undefined ? undefined : steps[index]?.ids) ?? [name];
}

function indexSteps(
  steps: readonly LinkedStep[],
  problems: ProblemList,
): ReadonlyMap<string, number> {
  const indexOf = new Map<string, number>();
  for (const [index, { id, at, ids }] of steps.entries()) {
    const first = indexOf.get(id);
    if (id === '') continue;
    if (first !== undefined) {
      problems.add([...at, 'id'], id, `is already the id of steps[${first}]`);
      continue;
    }
    indexOf.set(id, index);
    const seen = new Set<string>();
    for (const expanded of ids) {
      if (seen.has(expanded)) problems.add([...at, 'for'], expanded, 'is the id of two steps');
      seen.add(expanded);
    }
  }
  return indexOf;
}

function reportCycles(
  steps: readonly LinkedStep[],
  targets: readonly (readonly number[])[],
  problems: ProblemList,
): void {
  for (const cycle of findCycles(targets)) {
    const members = cycle.flatMap((index) => steps[index] ?? []);
    const [first] = members;
    if (first === undefined) continue;
    const ids = [...members, first].map(({ id }) => id);
    const at = first.needs.length > 0 ? [...first.at, 'needs'] : first.promptAt;
    problems.add(at, ids, `is a dependency cycle: ${describeCycle(ids)}`);
  }
}

/** Describes a cycle, shortened if it is long. The `value` of the problem has all ids. */
function describeCycle(ids: readonly string[]): string {
  if (ids.length <= MOST_SHOWN) return ids.join(' needs ');
  return `${ids.slice(0, MOST_SHOWN - 1).join(' needs ')} needs … needs ${ids.at(-1)}`;
}
