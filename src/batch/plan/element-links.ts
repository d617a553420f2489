import { fillNeed, type MatchElements } from './element-needs.js';
import type { LinkedStep, StepIndex } from './linked-step.js';
import type { GivenNeed } from './need-template.js';
import type { ProblemList } from './problem-list.js';

/** A need that differs from cell to cell. */
export interface ElementLink {
  /** Plan id of the matrix whose element is meant. Undefined if the cells need whole steps, or several matrices. */
  readonly planId: string | undefined;
  /** Indexes of the needed steps of the plan. */
  readonly target: ReadonlySet<number>;
  /** Ids of the needed steps for each cell. */
  readonly ids: readonly (readonly string[])[];
}

/** Resolves the needs of a step that differ from cell to cell: ids with variables, and `{ each: ID }`. */
export function linkElements(
  step: LinkedStep,
  own: number,
  index: StepIndex,
  match: MatchElements,
  problems: ProblemList,
): ElementLink[] {
  return step.needs.flatMap((need) => {
    if (need.kind === 'template') return linkTemplate(need, step, own, index, problems);
    return need.kind === 'each' ? linkEach(need, step, own, index, match, problems) : [];
  });
}

function linkEach(
  need: GivenNeed & { readonly kind: 'each' },
  step: LinkedStep,
  own: number,
  index: StepIndex,
  match: MatchElements,
  problems: ProblemList,
): ElementLink[] {
  const shown = { each: need.id };
  const target = index.byId.get(need.id);
  const other = target === undefined ? undefined : index.steps[target];
  if (target === undefined || other === undefined) {
    problems.add(need.at, shown, index.describeUnknown(need.id));
    return [];
  }
  if (target === own) {
    problems.add(need.at, shown, 'refers to the step itself');
    return [];
  }
  const ids = match(step, other, need, problems);
  if (ids === undefined) return [];
  return [{ planId: other.id, target: new Set([target]), ids: ids.map((id) => [id]) }];
}

function linkTemplate(
  need: GivenNeed & { readonly kind: 'template' },
  step: LinkedStep,
  own: number,
  index: StepIndex,
  problems: ProblemList,
): ElementLink[] {
  const target = new Set<number>();
  const missing: string[] = [];
  let isWhole = false;
  const ids = step.cells.map((cell) => {
    const id = fillNeed(need, step.scope, cell);
    const whole = index.byId.get(id);
    const found = whole ?? index.byElement.get(id);
    isWhole ||= whole !== undefined;
    if (found === undefined) missing.push(id);
    else target.add(found);
    return whole === undefined ? [id] : (index.steps[whole]?.ids ?? []);
  });
  const [first] = missing;
  if (first !== undefined) {
    const more = missing.length > 1 ? ` (and ${missing.length - 1} more ids)` : '';
    problems.add(need.at, need.text, index.describeUnknown(first) + more);
    return [];
  }
  if (target.has(own)) {
    problems.add(need.at, need.text, 'refers to the step itself');
    return [];
  }
  const [matrix] = target;
  const isElement = !isWhole && target.size === 1 && matrix !== undefined;
  return [{ planId: isElement ? index.steps[matrix]?.id : undefined, target, ids }];
}
