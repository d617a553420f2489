import type { PlanPath } from './plan-source.js';
import type { ProblemList } from './problem-list.js';
import type { GivenStep } from './read-steps.js';
import type { VariableScope } from './variable-scope.js';

const PLACEHOLDER = /\{\{\s*([A-Za-z_][\w-]*)\s*\}\}/g;

/**
 * Reports variables in other keys than prompts. Variables are filled in prompts only; in another key the braces would
 * be read as part of a glob or of a folder name.
 */
export function checkStrayVariables(
  { at, promptFile, inputs, expects, config }: GivenStep,
  scope: VariableScope,
  problems: ProblemList,
): void {
  const visit = (value: unknown, path: PlanPath): void => {
    if (typeof value === 'string') {
      const names = [...value.matchAll(PLACEHOLDER)].map(([, name = '']) => name);
      if (!names.some((name) => scope.has(name))) return;
      problems.add(path, value, 'contains a variable, but variables are filled in prompts only');
    } else if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) visit(item, [...path, index]);
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, item] of Object.entries(value)) visit(item, [...path, key]);
    }
  };
  visit(promptFile, [...at, 'promptFile']);
  visit(inputs, [...at, 'inputs']);
  visit(config['workingDir'], [...at, 'workingDir']);
  if (expects !== undefined) visit({ ...expects, json: undefined }, [...at, 'expects']);
}
