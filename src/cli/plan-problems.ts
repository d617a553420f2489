import { relative } from 'node:path';
import type { PlanProblem } from '../api/batch-plan.js';
import type { ConfigProblem } from '../api/error.js';
import { describeProblem } from '../config/config-problem.js';
import { cleanLine } from '../sessions/transcript/clean-text.js';
import type { Paint } from './output.js';

const MOST_SHOWN = 50;

/** What is wrong in the file of a plan, each with its place. The message of the error names the first alone. */
export function describePlanProblems(
  problems: readonly ConfigProblem[],
  { dim, yellow }: Paint,
): string[] {
  const placed = problems.filter(isPlaced);
  const more = placed.length - MOST_SHOWN;
  return [
    ...placed.slice(0, MOST_SHOWN).map((problem) => {
      const { file, line } = problem;
      const place = relative(process.cwd(), file) + (line === undefined ? '' : `:${line}`);
      return `${yellow(place)} ${cleanLine(describeProblem(problem))}`;
    }),
    ...(more > 0 ? [dim(`and ${more} more`)] : []),
  ];
}

function isPlaced(problem: ConfigProblem): problem is PlanProblem & { readonly file: string } {
  return 'file' in problem && typeof problem.file === 'string';
}
