import { toProblem } from '../config/config-problem.js';
import type { PlanProblem } from '../contract/batch-plan.js';
import { ProviderError } from '../errors/provider-error.js';
import { type PlanPath, type PlanSource, renderPath } from './plan-source.js';

const LONGEST_SHOWN_VALUE = 80;

/** Collects what is wrong in a plan, so that its author hears of everything at once. */
export interface ProblemList {
  /** The line is that of the path, unless told. */
  add(path: PlanPath, value: unknown, problem: string, line?: number): void;
  /** Throws INVALID_CONFIG where there are any, in the order of their lines. */
  throwIfAny(): void;
}

export function createProblemList(source: PlanSource): ProblemList {
  const problems: PlanProblem[] = [];
  return {
    add: (path, value, problem, line = source.lineOf(path)) => {
      const { file } = source;
      const step = nameStep(source.content, path);
      problems.push({
        // Without its beginning, a path is that of a configuration, where it is known what to hide.
        ...toProblem(path[0] === 'steps' ? path.slice(2) : path.slice(1), value, problem),
        key: renderPath(path),
        ...(file === undefined ? {} : { file }),
        ...(line === undefined ? {} : { line }),
        ...(step === undefined ? {} : { step }),
      });
    },
    throwIfAny: () => {
      if (problems.length > 0) throw invalidPlan(problems, source.file);
    },
  };
}

export function invalidPlan(problems: readonly PlanProblem[], file?: string): ProviderError {
  const sorted = [...problems].sort((a, b) => (a.line ?? 0) - (b.line ?? 0));
  const [first] = sorted;
  const count = sorted.length === 1 ? '1 problem' : `${sorted.length} problems`;
  const where = first?.line === undefined ? '' : ` in line ${first.line}`;
  return new ProviderError({
    code: 'INVALID_CONFIG',
    message: `${count} in ${file ?? 'the plan'}, the first${where}: ${first && describeProblem(first)}`,
    hint: 'Correct what `problems` lists: each has its key, its line and what is allowed.',
    problems: sorted,
  });
}

function describeProblem({ key, value, problem }: PlanProblem): string {
  const text = JSON.stringify(value) ?? String(value);
  const shown = text.length > LONGEST_SHOWN_VALUE ? `${text.slice(0, LONGEST_SHOWN_VALUE)}…` : text;
  return `${key} = ${shown}: ${problem}`;
}

function nameStep(content: unknown, [list, index]: PlanPath): string | undefined {
  if (list !== 'steps' || typeof index !== 'number') return undefined;
  const steps = readKey(content, 'steps');
  const id = readKey(Array.isArray(steps) ? steps[index] : undefined, 'id');
  return typeof id === 'string' && id !== '' ? id : `steps[${index}]`;
}

function readKey(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
}
