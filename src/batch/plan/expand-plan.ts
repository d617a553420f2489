import { resolve } from 'node:path';
import type { BatchPlan, ExpandedPlan, PlanStep } from '../../api/batch-plan.js';
import { statIfThere } from '../../base/fs/stats.js';
import { isPlainObject } from '../../base/json/is-plain-object.js';
import { assertReachable, type ReachableOptions } from '../../step/reachable-folders.js';
import { answerLimitMs } from './answer-limit.js';
import { assembleSteps } from './assemble-steps.js';
import type { EarlierFiles } from './earlier-files.js';
import { hashPlan } from './plan-hash.js';
import { createPlanKeys } from './plan-keys.js';
import { planSchema, readFields } from './plan-schema.js';
import type { PlanSource } from './plan-source.js';
import { createProblemList, type ProblemList } from './problem-list.js';
import { type GivenSettings, readDefaults, readSteps } from './read-steps.js';
import { createSchemaReader } from './schema-files.js';
import { outline, takeKeys } from './take-keys.js';
import { toVariables } from './variable-scope.js';

export interface ExpandOptions extends ReachableOptions {
  /** Folder that paths in the plan are relative to. Default: the current directory. */
  readonly baseDir?: string | undefined;
  /** Name of a plan that does not set one. Default `plan`. */
  readonly name?: string | undefined;
  /** Reads the file changes of earlier runs. Called only if `for` has a glob. */
  readonly readEarlier?: (() => Promise<EarlierFiles>) | undefined;
  /** Settings of steps that neither the step nor `defaults` of the plan sets. `workingDir` is absolute. */
  readonly outerDefaults?: OuterDefaults | undefined;
}

export type OuterDefaults = Pick<GivenSettings, 'isolation' | 'retries' | 'repair'> & {
  readonly workingDir?: string | undefined;
};

/**
 * Checks a whole plan, expands its matrices and fills the variables in its prompts. Throws INVALID_CONFIG with all
 * problems at once.
 */
export async function expandPlan(
  plan: BatchPlan | readonly PlanStep[],
  options: ExpandOptions = {},
): Promise<ExpandedPlan> {
  const content: unknown = Array.isArray(plan) ? { steps: plan } : plan;
  const source = { content, lineOf: () => undefined };
  const { baseDir = '.', name = 'plan', ...rest } = options;
  const settings = { ...rest, baseDir: resolve(baseDir), name };
  return expandSource(source, createProblemList(source), settings);
}

/** Expands a plan from a file or from code, with problems that were already found while reading the file. */
export async function expandSource(
  source: PlanSource,
  problems: ProblemList,
  settings: ExpandOptions & { readonly baseDir: string; readonly name: string },
): Promise<ExpandedPlan> {
  const { baseDir, readEarlier, signal, limitMs } = settings;
  await assertReachable([baseDir], { signal, limitMs });
  if (!statIfThere(baseDir)?.isDirectory()) {
    problems.add(['baseDir'], baseDir, 'is not a directory');
    problems.throwIfAny();
  }
  const keys = createPlanKeys(source.file !== undefined);
  const readSchema = createSchemaReader(baseDir);
  const reading = { keys, problems, readSchema };
  const { defaults: givenDefaults, steps: givenSteps, ...rest } = readPlanKeys(source, reading);
  const given = readFields(planSchema, rest, [], problems);
  const { name = settings.name, vars, onFinish, onFinishTimeout, ...limits } = given;
  const variables = toVariables(vars, rest['vars']);
  const defaults = addOuter(readDefaults(givenDefaults, reading), settings.outerDefaults);
  const steps = readSteps(givenSteps, reading);
  await assertReachable(listWorkingDirs(baseDir, [defaults, ...steps]), {
    signal,
    limitMs: limitMs ?? answerLimitMs(limits),
  });
  const assembled = await assembleSteps(
    { baseDir, variables, defaults, steps, readEarlier },
    problems,
  );
  problems.throwIfAny();
  return {
    name,
    ...(source.file === undefined ? {} : { file: resolve(source.file) }),
    baseDir,
    limits,
    ...((onFinish ?? onFinishTimeout) === undefined
      ? {}
      : { finish: { onFinish, onFinishTimeout } }),
    steps: assembled.map(({ step }) => step),
    hash: hashPlan(baseDir, limits, assembled),
  };
}

function addOuter(defaults: GivenSettings, outer: OuterDefaults = {}): GivenSettings {
  const { workingDir, ...settings } = outer;
  const config = workingDir === undefined ? defaults.config : { workingDir, ...defaults.config };
  return {
    ...defaults,
    isolation: defaults.isolation ?? settings.isolation,
    retries: defaults.retries ?? settings.retries,
    repair: defaults.repair ?? settings.repair,
    config,
  };
}

function listWorkingDirs(baseDir: string, settings: readonly GivenSettings[]): string[] {
  const given = settings.map(({ config }) => config['workingDir']);
  const paths = new Set(given.filter((path) => typeof path === 'string'));
  return [...paths].map((path) => resolve(baseDir, path));
}

function readPlanKeys(
  { content }: PlanSource,
  {
    keys,
    problems,
  }: { readonly keys: ReturnType<typeof createPlanKeys>; readonly problems: ProblemList },
): Record<string, unknown> {
  if (isPlainObject(content)) return takeKeys(content, keys.plan, [], problems);
  problems.add(['plan'], outline(content), 'must be an object with steps, or a list of steps');
  problems.throwIfAny();
  return {};
}
