import type { Isolation, PlanVariable } from '../../api/batch-plan.js';
import type { Expectations } from '../../api/expectations.js';
import type { StepNeed } from '../../api/step-need.js';
import { isPlainObject } from '../../base/json/is-plain-object.js';
import { OF_SESSION, type PlanKeys, pickConfig, wrapSingles } from './plan-keys.js';
import { defaultsSchema, readFields, stepSchema } from './plan-schema.js';
import type { PlanPath } from './plan-source.js';
import type { ProblemList } from './problem-list.js';
import { readExpects } from './read-expects.js';
import type { ReadSchema } from './schema-files.js';
import { outline, takeKeys } from './take-keys.js';
import { UnreadableStep } from './unreadable-step.js';
import { type GivenVariables, toVariables } from './variable-scope.js';

/** Settings of a step or of the defaults. Each is checked alone; invalid ones are left out. */
export interface GivenSettings {
  readonly variables: GivenVariables;
  readonly retries?: number | undefined;
  readonly repair?: number | undefined;
  readonly isolation?: Isolation | undefined;
  readonly inputs?: readonly string[] | undefined;
  readonly continueOnError?: boolean | undefined;
  readonly fallbackModel?: readonly string[] | undefined;
  readonly commit?: boolean | string | undefined;
  readonly expects?: Expectations | undefined;
  readonly config: Readonly<Record<string, unknown>>;
}

export interface GivenStep extends GivenSettings {
  readonly at: PlanPath;
  /** Id as it is written, even if it is invalid: `needs` of other steps may name it. */
  readonly id: string;
  readonly prompt?: string | undefined;
  readonly promptFile?: string | undefined;
  readonly needs?: readonly StepNeed[] | undefined;
  readonly when?: string | boolean | undefined;
  readonly for?: Readonly<Record<string, string | readonly PlanVariable[]>> | undefined;
}

export interface StepReading {
  readonly keys: PlanKeys;
  readonly problems: ProblemList;
  readonly readSchema: ReadSchema;
}

export function readDefaults(input: unknown, reading: StepReading): GivenSettings {
  const at = ['defaults'];
  const { keys, problems, readSchema } = reading;
  if (!isPlainObject(input)) {
    if (input !== undefined) problems.add(at, outline(input), 'must be an object');
    return { config: {}, variables: toVariables({}) };
  }
  const { expects, ...values } = takeKeys(input, keys.defaults, at, problems);
  const { vars, ...given } = readFields(defaultsSchema, wrapSingles(values), at, problems);
  return {
    ...given,
    variables: toVariables(vars, values['vars']),
    expects:
      expects === undefined
        ? undefined
        : readExpects(expects, [...at, 'expects'], problems, readSchema),
    config: pickConfig(values),
  };
}

export function readSteps(input: unknown, reading: StepReading): GivenStep[] {
  const { problems } = reading;
  if (!Array.isArray(input) || input.length === 0) {
    problems.add(['steps'], outline(input), 'must be a list of at least one step');
    return [];
  }
  return Array.from(input, (step: unknown, index) => readStep(step, ['steps', index], reading));
}

function readStep(input: unknown, at: PlanPath, reading: StepReading): GivenStep {
  const { keys, problems, readSchema } = reading;
  if (input instanceof UnreadableStep) {
    return { at, id: input.id, config: {}, variables: toVariables({}) };
  }
  if (!isPlainObject(input)) {
    problems.add(at, outline(input), 'must be an object with an id and a prompt or promptFile');
    return { at, id: '', config: {}, variables: toVariables({}) };
  }
  const { expects, ...values } = takeKeys(input, keys.step, at, problems);
  const { vars, ...given } = readFields(stepSchema, wrapSingles(values), at, problems);
  const { id, prompt, promptFile } = values;
  if (id === undefined) problems.add([...at, 'id'], undefined, 'must be given');
  if (prompt === undefined && promptFile === undefined) {
    problems.add([...at, 'prompt'], undefined, 'must be given, or promptFile instead');
  }
  if (prompt !== undefined && promptFile !== undefined) {
    problems.add([...at, 'promptFile'], promptFile, 'cannot be combined with prompt');
  }
  for (const key of given.for === undefined ? [] : OF_SESSION) {
    if (values[key] === undefined) continue;
    problems.add(
      [...at, key],
      values[key],
      'cannot be combined with for: all steps would share one session',
    );
  }
  return {
    ...given,
    at,
    variables: toVariables(vars, values['vars'], values['for']),
    id: typeof id === 'string' ? id : '',
    expects:
      expects === undefined
        ? undefined
        : readExpects(expects, [...at, 'expects'], problems, readSchema),
    config: pickConfig(values),
  };
}
