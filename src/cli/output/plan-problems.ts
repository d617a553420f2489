import { relative } from 'node:path';
import type { ConfigProblem, ProviderErrorData } from '../../api/error.js';
import type { PlanProblem } from '../../api/plan-problem.js';
import { cleanName } from '../../base/text/clean-text.js';
import { countOf } from '../../base/text/count-of.js';
import { describeProblem } from '../../config/config-problem.js';
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
      return `${yellow(location)} ${cleanName(describeProblem(problem))}`;
    }),
    ...(more > 0 ? [dim(`and ${more} more`)] : []),
  ];
}

/** Describes an error that is about a plan file alone: each problem once. Undefined for all other errors. */
export function describePlanFailure(error: ProviderErrorData, paint: Paint): string | undefined {
  const { problems = [], code } = error;
  const [first] = problems.filter(hasFile);
  if (first === undefined || !problems.every(hasFile)) return undefined;
  const where = relative(process.cwd(), first.file);
  return [
    ...describePlanProblems(problems, paint),
    `${paint.red(code)} ${countOf(problems.length, 'problem')} in ${cleanName(where)}. No step was run.`,
  ].join('\n');
}

function hasFile(problem: ConfigProblem): problem is PlanProblem & { readonly file: string } {
  return 'file' in problem && typeof problem.file === 'string';
}
