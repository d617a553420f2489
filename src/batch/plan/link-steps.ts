import { createSuggest } from '../../base/text/nearest-name.js';
import { type ElementLink, linkElements } from './element-links.js';
import { createElementMatcher } from './element-needs.js';
import type { LinkedStep, StepIndex, StepLinks } from './linked-step.js';
import type { PlanPath } from './plan-source.js';
import type { ProblemList } from './problem-list.js';
import { reportCycles } from './report-cycles.js';
import { renderStepReference, type StepReference } from './step-reference.js';

const MOST_COMPARISONS = 200_000;
/** Most ids in the needs of all elements together. Each element has a list of its own. */
const MOST_ELEMENT_NEEDS = 5_000_000;

/**
 * Returns for each step a function that gives the dependencies of one of its cells, including the steps that prompt and
 * condition refer to. Steps with the same needs share one list: without that, two matrices would need memory for the
 * product of their sizes.
 */
export function linkSteps(
  steps: readonly LinkedStep[],
  problems: ProblemList,
): readonly ((cell: number) => StepLinks)[] {
  const index = indexSteps(steps, problems);
  const match = createElementMatcher();
  const targets: number[][] = [];
  const lists = new Map<string, readonly string[]>();
  let elementNeeds = 0;

  const expandAll = (names: ReadonlySet<string>): readonly string[] => {
    const [first, second] = names;
    const matrix = index.byId.get(first ?? '');
    if (second === undefined && matrix !== undefined) return steps[matrix]?.ids ?? [];
    const key = JSON.stringify([...names]);
    const list = lists.get(key) ?? [
      ...new Set([...names].flatMap((name) => expandId(name, index))),
    ];
    lists.set(key, list);
    return list;
  };

  const links = steps.map((step, own) => {
    const names = new Set<string>();
    const tolerated = new Set<string>();
    const reached = new Set<number>();
    const elements = linkElements(step, own, index, match, problems);
    for (const { target } of elements) for (const one of target) reached.add(one);
    const addNeed = (name: string, at: PlanPath, shown: string): number | undefined => {
      const found = index.byId.get(name) ?? index.byElement.get(name);
      if (found === undefined) problems.add(at, shown, index.describeUnknown(name));
      else if (found === own) problems.add(at, shown, 'refers to the step itself');
      else {
        names.add(name);
        reached.add(found);
        return found;
      }
      return undefined;
    };
    for (const need of step.needs) if (need.kind === 'id') addNeed(need.id, need.at, need.id);
    const refer = (reference: StepReference, at: PlanPath): void => {
      const shown = renderStepReference(reference);
      const ofElement = elements.filter(({ planId }) => planId === reference.id);
      const isElement = ofElement.length > 0 && !names.has(reference.id);
      if (isElement && ofElement.length > 1) {
        problems.add(at, shown, `could mean several elements of "${reference.id}" in needs`);
      }
      const found = isElement ? index.byId.get(reference.id) : addNeed(reference.id, at, shown);
      if (found === undefined || reference.field !== 'data' || steps[found]?.hasData) return;
      problems.add(at, shown, `step "${reference.id}" has no data without expects.json`);
    };
    for (const reference of step.references) refer(reference, step.promptAt);
    for (const reference of step.asked) {
      refer(reference, [...step.at, 'when']);
      if (reference.field === 'state' || reference.field === 'error') tolerated.add(reference.id);
    }
    targets.push([...reached]);
    const shared = expandAll(names);
    const isTolerant = (link: ElementLink) => tolerated.has(link.planId ?? '');
    const sharedTolerated = expandAll(new Set([...tolerated].filter((id) => names.has(id))));
    elementNeeds +=
      elements.length === 0 ? 0 : step.cells.length * (shared.length + elements.length);
    if (elementNeeds > MOST_ELEMENT_NEEDS) {
      const problem = `make too many dependencies: each of ${step.cells.length} steps needs ${shared.length} others beside its element. Let one step need them all, and need that step`;
      problems.add([...step.at, 'needs'], step.id, problem);
      problems.throwIfAny();
    }
    return createLinks({ shared, sharedTolerated, elements, isTolerant, names });
  });
  reportCycles(steps, targets, problems);
  return links;
}

interface LinkParts {
  readonly shared: readonly string[];
  readonly sharedTolerated: readonly string[];
  readonly elements: readonly ElementLink[];
  readonly isTolerant: (link: ElementLink) => boolean;
  readonly names: ReadonlySet<string>;
}

function createLinks(parts: LinkParts): (cell: number) => StepLinks {
  const { shared, sharedTolerated, elements, isTolerant, names } = parts;
  const common: StepLinks = {
    needs: shared,
    ...(sharedTolerated.length === 0 ? {} : { tolerates: sharedTolerated }),
  };
  if (elements.length === 0) return () => common;
  return (cell) => {
    const idsOf = (link: ElementLink): readonly string[] => link.ids[cell] ?? [];
    const tolerates = [...sharedTolerated, ...elements.filter(isTolerant).flatMap(idsOf)];
    const meant = elements.flatMap((link) => {
      const [id] = idsOf(link);
      const { planId } = link;
      return planId === undefined || id === undefined || names.has(planId) ? [] : [[planId, id]];
    });
    return {
      needs: [...new Set([...shared, ...elements.flatMap(idsOf)])],
      ...(tolerates.length === 0 ? {} : { tolerates }),
      ...(meant.length === 0 ? {} : { elements: Object.fromEntries(meant) }),
    };
  };
}

/** Returns the ids of the expanded steps that an id in the plan means. */
function expandId(name: string, { steps, byId }: StepIndex): readonly string[] {
  const found = byId.get(name);
  return (found === undefined ? undefined : steps[found]?.ids) ?? [name];
}

function indexSteps(steps: readonly LinkedStep[], problems: ProblemList): StepIndex {
  const byId = new Map<string, number>();
  for (const [index, { id, at, ids }] of steps.entries()) {
    const first = byId.get(id);
    if (id === '') continue;
    if (first !== undefined) {
      problems.add([...at, 'id'], id, `is already the id of steps[${first}]`);
      continue;
    }
    byId.set(id, index);
    const seen = new Set<string>();
    for (const expanded of ids) {
      if (seen.has(expanded)) problems.add([...at, 'for'], expanded, 'is the id of two steps');
      seen.add(expanded);
    }
  }
  const byElement = new Map(
    steps.flatMap(({ isMatrix, ids }, index) =>
      isMatrix ? ids.map((id): [string, number] => [id, index]) : [],
    ),
  );
  const suggest = createSuggest(byId.keys(), MOST_COMPARISONS);
  const describeUnknown = (id: string) => `no step has the id "${id}"${suggest(id)}`;
  return { steps, byId, byElement, describeUnknown };
}
