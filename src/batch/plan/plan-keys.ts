import { CONFIG_KEYS } from '../../config/schema.js';
import { createKeyRules, type KeyRules } from './take-keys.js';

const LIMITS = [
  'concurrency',
  'maxTotalTokens',
  'maxDuration',
  'maxFailures',
  'maxRetries',
  'failFast',
] as const;
const SETTINGS = ['retries', 'expects', 'repair', 'isolation', 'inputs'] as const;
const OF_STEPS = ['id', 'prompt', 'promptFile', 'needs', 'for'] as const;
/** What cannot be written down, or belongs to all steps together. */
const OF_CODE = ['pool', 'onPermission', 'logger'] as const;
/** One session cannot be that of many steps. */
export const OF_ONE_RUN = ['sessionId', 'resume'] as const;

export interface PlanKeys {
  readonly plan: KeyRules;
  readonly defaults: KeyRules;
  readonly step: KeyRules;
}

/** The keys of a plan, its defaults and its steps, and what to say of those in the wrong place. */
export function createPlanKeys(isFile: boolean): PlanKeys {
  const ofCode = isFile
    ? say(OF_CODE, 'cannot be set in a file: give it to the batch in code')
    : {};
  const ofPlan = say([...LIMITS, 'name'], 'belongs to the plan, beside `steps`');
  const ofSteps = say(OF_STEPS, 'belongs to a step');
  return {
    plan: createKeyRules(['name', 'vars', 'defaults', 'steps', ...LIMITS], {
      ...say([...SETTINGS, ...CONFIG_KEYS], 'belongs to `defaults` or to a step'),
      ...ofSteps,
    }),
    defaults: createKeyRules(['vars', ...SETTINGS, ...CONFIG_KEYS], {
      ...ofPlan,
      ...ofSteps,
      ...say(OF_ONE_RUN, 'belongs to a step: all of them would share one session'),
      ...ofCode,
    }),
    step: createKeyRules([...OF_STEPS, 'vars', ...SETTINGS, ...CONFIG_KEYS], {
      ...ofPlan,
      ...ofCode,
    }),
  };
}

function say(keys: readonly string[], text: string): Record<string, string> {
  return Object.fromEntries(keys.map((key) => [key, text]));
}

/** The keys of the provider's configuration that are none of the plan's own. */
export function pickConfig(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([key]) => CONFIG_SET.has(key)));
}

const OWN: ReadonlySet<string> = new Set(SETTINGS);
const CONFIG_SET: ReadonlySet<string> = new Set(CONFIG_KEYS.filter((key) => !OWN.has(key)));
