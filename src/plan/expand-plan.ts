import { resolve } from 'node:path';
import type { BatchPlan, ExpandedPlan, PlanStep } from '../contract/batch-plan.js';
import { statIfThere } from '../workspace/stats.js';
import { assembleSteps } from './assemble-steps.js';
import { isObject } from './expected-items.js';
import { hashPlan } from './plan-hash.js';
import { createPlanKeys } from './plan-keys.js';
import { planSchema, readFields } from './plan-schema.js';
import type { PlanSource } from './plan-source.js';
import { createProblemList, type ProblemList } from './problem-list.js';
import { readDefaults, readSteps } from './read-steps.js';
import { createSchemaReader } from './schema-files.js';
import { outline, takeKeys } from './take-keys.js';
import { toVariables } from './variable-scope.js';

export interface ExpandOptions {
  /** Paths in the plan are relative to it. Default: the current directory. */
  readonly baseDir?: string | undefined;
  /** For a plan that has no name. Default `plan`. */
  readonly name?: string | undefined;
}

/**
 * Checks a plan as a whole, expands its matrices and fills its prompts as far as can be known before it runs.
 * Throws INVALID_CONFIG with all problems at once.
 */
export async function expandPlan(
  plan: BatchPlan | readonly PlanStep[],
  options: ExpandOptions = {},
): Promise<ExpandedPlan> {
  const content: unknown = Array.isArray(plan) ? { steps: plan } : plan;
  const source = { content, lineOf: () => undefined };
  const { baseDir = '.', name = 'plan' } = options;
  return expandSource(source, createProblemList(source), resolve(baseDir), name);
}

/** The same for a plan that may come from a file. */
export async function expandSource(
  source: PlanSource,
  problems: ProblemList,
  baseDir: string,
  defaultName: string,
): Promise<ExpandedPlan> {
  if (!statIfThere(baseDir)?.isDirectory()) {
    problems.add(['baseDir'], baseDir, 'is not a directory');
    problems.throwIfAny();
  }
  const keys = createPlanKeys(source.file !== undefined);
  const readSchema = createSchemaReader(baseDir);
  const reading = { keys, problems, readSchema };
  const { defaults: givenDefaults, steps: givenSteps, ...rest } = readPlanKeys(source, reading);
  const { name = defaultName, vars, ...limits } = readFields(planSchema, rest, [], problems);
  const variables = toVariables(vars, rest['vars']);
  const defaults = readDefaults(givenDefaults, reading);
  const steps = readSteps(givenSteps, reading);
  const assembled = await assembleSteps({ baseDir, variables, defaults, steps }, problems);
  problems.throwIfAny();
  return {
    name,
    ...(source.file === undefined ? {} : { file: resolve(source.file) }),
    baseDir,
    limits,
    steps: assembled.map(({ step }) => step),
    hash: hashPlan(baseDir, limits, assembled),
  };
}

function readPlanKeys(
  { content }: PlanSource,
  {
    keys,
    problems,
  }: { readonly keys: ReturnType<typeof createPlanKeys>; readonly problems: ProblemList },
): Record<string, unknown> {
  if (isObject(content)) return takeKeys(content, keys.plan, [], problems);
  problems.add(['plan'], outline(content), 'must be an object with steps, or a list of steps');
  problems.throwIfAny();
  return {};
}
