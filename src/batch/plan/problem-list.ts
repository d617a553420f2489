import type { PlanProblem } from '../../api/plan-problem.js';
import { ProviderError } from '../../base/errors/provider-error.js';
import { valueAt } from '../../base/json/value-at.js';
import { countOf } from '../../base/text/count-of.js';
import { describeProblem, toProblem } from '../../config/config-problem.js';
import { type PlanPath, type PlanSource, renderPath } from './plan-source.js';

/** Number of problems after which the check ends. A plan of a million wrong steps must not fill the memory with them. */
const MOST_PROBLEMS = 1_000;

/** Collects the problems of a plan, so that one error reports all of them, or the first thousand. */
export interface ProblemList {
  /** Returns the number of problems so far. */
  count(): number;
  /** Adds a problem. `line` defaults to the line of the path. The thousandth problem is thrown with all others. */
  add(path: PlanPath, value: unknown, problem: string, line?: number): void;
  /** Throws INVALID_CONFIG if the list has problems, with the problems in the order of the plan. */
  throwIfAny(): void;
}

export function createProblemList(source: PlanSource): ProblemList {
  const found: { readonly order: number; readonly problem: PlanProblem }[] = [];
  const { file, content } = source;
  const throwIfAny = (): void => {
    if (found.length === 0) return;
    found.sort((a, b) => a.order - b.order);
    throw invalidPlan(
      found.map(({ problem }) => problem),
      file,
    );
  };
  return {
    count: () => found.length,
    add: (path, value, text, line = source.lineOf(path)) => {
      const index = path[0] === 'steps' && typeof path[1] === 'number' ? path[1] : undefined;
      // `toProblem` hides values of `env`, so it needs the path of the configuration key, without `steps[2]`.
      const inside = path.slice(index === undefined ? 1 : 2);
      const problem = {
        ...toProblem(inside, value ?? null, text),
        key: renderPath(path),
        ...(file === undefined ? {} : { file }),
        ...(line === undefined ? {} : { line }),
        ...(index === undefined ? {} : { step: nameStep(content, index) }),
      };
      found.push({ problem, order: line ?? (index === undefined ? 0 : index + 1) });
      if (found.length === MOST_PROBLEMS) throwIfAny();
    },
    throwIfAny,
  };
}

export function invalidPlan(problems: readonly PlanProblem[], file?: string): ProviderError {
  const [first] = problems;
  const count = countOf(problems.length, 'problem');
  const where = first?.line === undefined ? '' : ` in line ${first.line}`;
  return new ProviderError({
    code: 'INVALID_CONFIG',
    message: `${count} in ${file ?? 'the plan'}, the first${where}: ${first && describeProblem(first)}`,
    hint: 'Correct each entry of `problems`: it names the key, its location and what is allowed.',
    problems,
  });
}

function nameStep(content: unknown, index: number): string {
  const id = valueAt(content, ['steps', index, 'id']);
  return typeof id === 'string' && id !== '' ? id : `steps[${index}]`;
}
