import { CONFIG_KEYS } from '../../config/schema.js';
import { createKeyRules, type KeyRules } from './take-keys.js';

const LIMITS = [
  'concurrency',
  'maxTotalTokens',
  'maxDuration',
  'maxFailures',
  'maxRetries',
  'failFast',
  'mergeOrder',
] as const;
const SETTINGS = ['retries', 'expects', 'repair', 'isolation', 'inputs'] as const;
const OF_STEPS = ['id', 'prompt', 'promptFile', 'needs', 'for'] as const;
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
  const ofPlan = refuse([...LIMITS, 'name'], 'belongs to the plan, beside `steps`');
  const ofSteps = refuse(OF_STEPS, 'belongs to a step');
  return {
    plan: createKeyRules(['name', 'vars', 'defaults', 'steps', ...LIMITS], {
      ...refuse([...SETTINGS, ...CONFIG_KEYS], 'belongs to `defaults` or to a step'),
      ...ofSteps,
    }),
    defaults: createKeyRules(['vars', ...SETTINGS, ...CONFIG_KEYS], {
      ...ofPlan,
      ...ofSteps,
      ...refuse(OF_SESSION, 'belongs to a step: all steps would share one session'),
      ...ofCode,
    }),
    step: createKeyRules([...OF_STEPS, 'vars', ...SETTINGS, ...CONFIG_KEYS], {
      ...ofPlan,
      ...ofCode,
    }),
  };
}

function refuse(keys: readonly string[], problem: string): Record<string, string> {
  return Object.fromEntries(keys.map((key) => [key, problem]));
}

/** Picks the keys of the provider's configuration that are not settings of the plan. */
export function pickConfig(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([key]) => CONFIG_SET.has(key)));
}

const SETTING_SET: ReadonlySet<string> = new Set(SETTINGS);
const CONFIG_SET: ReadonlySet<string> = new Set(CONFIG_KEYS.filter((key) => !SETTING_SET.has(key)));
