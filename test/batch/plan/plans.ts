import { join } from 'node:path';
import type { ExpandedPlan, PlannedStep } from '../../../src/api/batch-plan.js';
import { ProviderError } from '../../../src/base/errors/provider-error.js';
import { readPlan } from '../../../src/batch/plan/read-plan.js';
import { type Files, failureOf, makeFolder } from '../../fixtures/cli/support.js';

/** Creates a folder with a plan file and returns the path of the file. The folder is removed after the test. */
export function makePlan(text: string, files: Files = {}, name = 'plan.yaml'): string {
  return join(makeFolder({ ...files, [name]: text }), name);
}

export function readText(text: string, files: Files = {}, name = 'plan.yaml') {
  return readPlan(makePlan(text, files, name));
}

export async function errorOf(act: () => unknown): Promise<ProviderError> {
  const error = await failureOf(act);
  if (ProviderError.isInstance(error)) return error;
  throw error;
}

/** Reads a plan that must fail and returns one line per problem: `LINE KEY = VALUE: PROBLEM`. */
export async function problemsIn(text: string, files: Files = {}, name = 'plan.yaml') {
  const file = makePlan(text, files, name);
  const { problems = [], code } = await errorOf(() => readPlan(file));
  return problems.map((problem) => {
    if (code !== 'INVALID_CONFIG' || Reflect.get(problem, 'file') !== file) {
      throw new Error(`Unexpected problem: ${code} ${JSON.stringify(problem)}`);
    }
    const { key, value, problem: text } = problem;
    return `${Reflect.get(problem, 'line')} ${key} = ${JSON.stringify(value)}: ${text}`;
  });
}

/** Returns plans with many levels, by file name: closed and open ones. */
export function deepPlans(levels: number): readonly (readonly [string, string])[] {
  const [open, close] = ['['.repeat(levels), ']'.repeat(levels)];
  return [
    ['plan.yaml', `a: ${open}${close}`],
    ['plan.yaml', `a: ${open}`],
    ['plan.json', `${open}${close}`],
    ['plan.jsonl', `{"id":${'{"a":'.repeat(levels)}1`],
  ];
}

export function stepOf(plan: ExpandedPlan, id: string): PlannedStep {
  const step = plan.steps.find((candidate) => candidate.id === id);
  if (step === undefined) throw new Error(`The plan has no step ${id}`);
  return step;
}

/** Creates a generator of pseudo-random numbers. The same seed gives the same numbers. */
export function createRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}
