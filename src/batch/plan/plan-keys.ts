import { isPlainObject } from '../../base/json/is-plain-object.js';
import { toListIfOne } from '../../config/one-or-list.js';
import { CONFIG_KEYS } from '../../config/schema.js';
import { createKeyRules, type KeyRules } from './take-keys.js';

const LIMITS = [
  'concurrency',
  'maxTotalTokens',
  'maxCost',
  'maxDuration',
  'maxFailures',
  'maxRetries',
  'failFast',
  'mergeOrder',
] as const;
const SETTINGS = [
  'retries',
  'expects',
  'repair',
  'isolation',
  'inputs',
  'continueOnError',
  'fallbackModel',
  'commit',
] as const;
/** Keys of a plan about its end. */
const OF_FINISH = ['onFinish', 'onFinishTimeout'] as const;
const OF_STEPS = ['id', 'prompt', 'promptFile', 'needs', 'for', 'when'] as const;
/** Keys that take one value in the place of a list. */
const ONE_OR_LIST = ['inputs', 'needs', 'fallbackModel'] as const;
/** Keys of other tools, with the key of a plan that does the same. */
const OTHER_NAMES: Readonly<Record<string, readonly string[]>> = {
  needs: ['dependsOn', 'depends', 'requires', 'dependencies', 'after'],
  for: ['matrix', 'foreach', 'forEach', 'strategy', 'loop', 'withItems', 'each'],
  when: ['if', 'condition', 'onlyIf', 'unless'],
  continueOnError: ['allowFailure', 'ignoreErrors', 'continue-on-error'],
  fallbackModel: ['fallback', 'fallbackModels', 'fallbacks'],
  retries: ['retry', 'attempts', 'maxAttempts'],
  vars: ['variables', 'params'],
  workingDir: ['cwd', 'dir', 'workingDirectory', 'working-directory'],
  timeout: ['timeoutMinutes', 'timeout-minutes', 'timeoutMs'],
};
const OTHER_NAMES_OF_PLAN: Readonly<Record<string, readonly string[]>> = {
  steps: ['jobs', 'tasks', 'stages'],
  concurrency: ['parallel', 'maxParallel', 'parallelism', 'jobsInParallel'],
  vars: ['variables', 'params'],
  onFinish: ['onComplete', 'finally', 'onExit', 'notify'],
};
/** Keys that a plan file cannot set: functions and objects from code, and the pool that all steps share. */
const OF_CODE = ['pool', 'onPermission', 'logger'] as const;
/** Keys that name a session. Several steps cannot share one session. */
export const OF_SESSION = ['sessionId', 'resume'] as const;

export interface PlanKeys {
  readonly plan: KeyRules;
  readonly defaults: KeyRules;
  readonly step: KeyRules;
}

/** Creates the rules for the keys of a plan, its defaults and its steps, with a problem for each misplaced key. */
export function createPlanKeys(isFile: boolean): PlanKeys {
  const ofCode = isFile
    ? refuse(OF_CODE, 'cannot be set in a file: give it to the batch in code')
    : {};
  // `maxCost` of the plan limits the batch, that of a step its repairs.
  const limits = LIMITS.filter((key) => key !== 'maxCost');
  const ofPlan = refuse([...limits, ...OF_FINISH, 'name'], 'belongs to the plan, beside `steps`');
  const configKeys = CONFIG_KEYS.filter((key) => key !== 'maxCost');
  const ofSteps = refuse(OF_STEPS, 'belongs to a step');
  return {
    plan: createKeyRules(['name', 'vars', 'defaults', 'steps', ...LIMITS, ...OF_FINISH], {
      ...nameOthers(OTHER_NAMES_OF_PLAN),
      ...refuse([...SETTINGS, ...configKeys], 'belongs to `defaults` or to a step'),
      ...ofSteps,
    }),
    defaults: createKeyRules(['vars', ...SETTINGS, ...CONFIG_KEYS], {
      ...nameOthers(OTHER_NAMES),
      ...ofPlan,
      ...ofSteps,
      ...refuse(OF_SESSION, 'belongs to a step: all steps would share one session'),
      ...ofCode,
    }),
    step: createKeyRules([...OF_STEPS, 'vars', ...SETTINGS, ...CONFIG_KEYS], {
      ...nameOthers(OTHER_NAMES),
      ...ofPlan,
      ...ofCode,
    }),
  };
}

function refuse(keys: readonly string[], problem: string): Record<string, string> {
  return Object.fromEntries(keys.map((key) => [key, problem]));
}

function nameOthers(names: Readonly<Record<string, readonly string[]>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(names).flatMap(([key, others]) =>
      others.map((other) => [other, `is an unknown key: use "${key}"`]),
    ),
  );
}

/** Returns the values with a single value in the place of a list as a list of one. */
export function wrapSingles(
  values: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const singles = ONE_OR_LIST.filter((key) => isSingle(values[key]));
  if (singles.length === 0) return values;
  return { ...values, ...Object.fromEntries(singles.map((key) => [key, [values[key]]])) };
}

function isSingle(value: unknown): boolean {
  return typeof value === 'string' || isPlainObject(value);
}

/** Picks the keys of the provider's configuration that are not settings of the plan. */
export function pickConfig(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(values)
      .filter(([key]) => CONFIG_SET.has(key))
      .map(([key, value]) => [key, toListIfOne(key, value)]),
  );
}

const SETTING_SET: ReadonlySet<string> = new Set(SETTINGS);
const CONFIG_SET: ReadonlySet<string> = new Set(CONFIG_KEYS.filter((key) => !SETTING_SET.has(key)));
