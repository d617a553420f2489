import { createSuggest } from '../../base/text/nearest-name.js';
import type { PlanPath } from './plan-source.js';
import type { ProblemList } from './problem-list.js';
import type { TemplatePart } from './template.js';
import type { VariableScope } from './variable-scope.js';

const LONGEST_SHOWN = 60;
const FORMS =
  '{{variable}}, or {{steps.ID.field}} with the field text, files, data, state or error';
const ESCAPE = '; write \\{{ for literal braces';

/** Reports placeholders that cannot be filled: wrong syntax, or a variable that does not exist. */
export function checkTemplate(
  parts: readonly TemplatePart[],
  scope: VariableScope,
  at: PlanPath,
  problems: ProblemList,
): void {
  const seen = new Set<string>();
  for (const part of parts) {
    if (part.kind === 'fault') {
      const problem = part.isOpen ? 'is never closed with }}' : `must be ${FORMS}`;
      problems.add(at, shorten(part.text), `${problem}${ESCAPE}`);
    } else if (part.kind === 'variable' && !scope.has(part.name) && !seen.has(part.name)) {
      seen.add(part.name);
      const end = createSuggest(scope.names())(part.name) || ESCAPE;
      problems.add(at, `{{${part.name}}}`, `is not a variable in vars or for${end}`);
    }
  }
}

function shorten(text: string): string {
  return text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text;
}
