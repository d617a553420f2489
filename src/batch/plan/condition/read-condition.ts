import type { PlanVariable } from '../../../api/batch-plan.js';
import { createSuggest } from '../../../base/text/nearest-name.js';
import type { PlanPath } from '../plan-source.js';
import type { ProblemList } from '../problem-list.js';
import type { VariableScope } from '../variable-scope.js';
import { type Condition, ConditionFault } from './condition.js';
import { type ParsedCondition, parseCondition } from './parse-condition.js';

/** States of a step that is over. */
const STATES = ['succeeded', 'failed', 'skipped'] as const;
/** A placeholder in quotes would be compared as it is written. */
const PLACEHOLDER = /\{\{[^}]*\}\}/;
const suggestState = createSuggest(STATES);

/** A condition of a step of the plan, with its text. */
export interface StepCondition extends ParsedCondition {
  readonly text: string;
}

/** Parses and checks `when`. Returns undefined and adds a problem if the condition cannot be evaluated. */
export function readCondition(
  given: string | boolean,
  scope: VariableScope,
  at: PlanPath,
  problems: ProblemList,
): StepCondition | undefined {
  const text = String(given);
  try {
    const parsed = parseCondition(text);
    checkVariables(parsed, scope, at, problems);
    checkStates(parsed.condition, at, problems);
    return { ...parsed, text };
  } catch (error) {
    if (!(error instanceof ConditionFault)) throw error;
    problems.add(at, text, `${error.message} (character ${error.position + 1})`);
    return undefined;
  }
}

/** Returns the text of the condition with the values of the variables in their place. */
export function fillCondition(
  { text, tokens }: StepCondition,
  read: (name: string) => PlanVariable | undefined,
): string {
  let filled = '';
  let from = 0;
  for (const { start, end, content } of tokens) {
    if (content.kind !== 'variable') continue;
    filled += text.slice(from, start) + JSON.stringify(read(content.name) ?? null);
    from = end;
  }
  return filled + text.slice(from);
}

function checkVariables(
  { tokens }: ParsedCondition,
  scope: VariableScope,
  at: PlanPath,
  problems: ProblemList,
): void {
  const seen = new Set<string>();
  for (const { content, start } of tokens) {
    if (content.kind === 'literal' && PLACEHOLDER.test(String(content.value))) {
      const problem = `in quotes is not filled in (character ${start + 1}): remove the quotes`;
      problems.add(at, content.value, problem);
    }
    if (content.kind !== 'variable' || scope.has(content.name) || seen.has(content.name)) continue;
    seen.add(content.name);
    const end = createSuggest(scope.names())(content.name) || '; a text needs quotes';
    const where = `(character ${start + 1})`;
    problems.add(at, content.name, `is not a variable in vars or for ${where}${end}`);
  }
}

/** Reports a comparison of a state with a text that is no state: the comparison would never be true. */
function checkStates(condition: Condition, at: PlanPath, problems: ProblemList): void {
  if (condition.kind === 'not') checkStates(condition.part, at, problems);
  if (condition.kind === 'and' || condition.kind === 'or') {
    for (const part of condition.parts) checkStates(part, at, problems);
  }
  if (condition.kind !== 'compare') return;
  const { left, right } = condition;
  checkStates(left, at, problems);
  checkStates(right, at, problems);
  const [asked, literal] = left.kind === 'literal' ? [right, left] : [left, right];
  if (asked.kind !== 'reference' || asked.reference.field !== 'state') return;
  if (literal.kind !== 'literal') return;
  const { value } = literal;
  if (STATES.some((state) => state === value)) return;
  const suggestion = suggestState(String(value)) || `: use ${STATES.join(', ')}`;
  problems.add(at, value, `is not a state of a step that is over${suggestion}`);
}
