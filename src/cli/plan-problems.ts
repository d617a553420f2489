import { relative } from 'node:path';
import type { PlanProblem } from '../api/batch-plan.js';
import type { ConfigProblem } from '../api/error.js';
import { cleanLine } from '../base/text/clean-text.js';
import { describeProblem } from '../config/config-problem.js';
import type { Paint } from './output.js';

const MOST_SHOWN = 50;

/**
 * Returns a line with file and line number for each problem of a plan. The error message itself names only the first
 * problem.
 */
export function describePlanProblems(
  problems: readonly ConfigProblem[],
  { dim, yellow }: Paint,
): string[] {
  const located = problems.filter(hasFile);
  const more = located.length - MOST_SHOWN;
  return [
    ...located.slice(0, MOST_SHOWN).map((problem) => {
      const { file, line } = problem;
      const location = relative(process.cwd(), file) + (line === undefined ? '' : `:${line}`);
      return `${yellow(location)} ${cleanLine(describeProblem(problem))}`;
    }),
    ...(more > 0 ? [dim(`and ${more} more`)] : []),
  ];
}

function hasFile(problem: ConfigProblem): problem is PlanProblem & { readonly file: string } {
  return 'file' in problem && typeof problem.file === 'string';
}
