import type { StepNeed } from '../../api/step-need.js';
import { checkTemplate } from './check-template.js';
import type { PlanPath } from './plan-source.js';
import type { ProblemList } from './problem-list.js';
import { parseTemplate, type TemplatePart } from './template.js';
import type { VariableScope } from './variable-scope.js';

/** A need with its path in the plan: an id, an id with variables, or the element of another matrix. */
export type GivenNeed = { readonly at: PlanPath } & (
  | { readonly kind: 'id'; readonly id: string }
  | { readonly kind: 'template'; readonly text: string; readonly parts: readonly TemplatePart[] }
  | { readonly kind: 'each'; readonly id: string }
);

/** Parses the needs of a step and checks their variables. Leaves out needs with a problem. */
export function readNeeds(
  needs: readonly StepNeed[],
  at: PlanPath,
  scope: VariableScope,
  problems: ProblemList,
): GivenNeed[] {
  return needs.flatMap((need, index): GivenNeed[] => {
    const path = [...at, 'needs', index];
    if (typeof need !== 'string') return [{ kind: 'each', at: path, id: need.each }];
    if (!need.includes('{{')) return [{ kind: 'id', at: path, id: need }];
    const parts = parseTemplate(need);
    const before = problems.count();
    checkTemplate(parts, scope, path, problems);
    if (parts.some(({ kind }) => kind === 'reference')) {
      problems.add(path, need, 'must not refer to a result: write the id of the step');
    }
    return problems.count() === before ? [{ kind: 'template', at: path, text: need, parts }] : [];
  });
}
