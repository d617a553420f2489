import { resolve } from 'node:path';
import type { ConfigProblem } from '../../api/error.js';
import { ProviderError } from '../../base/errors/provider-error.js';
import { statIfThere } from '../../base/fs/stats.js';
import { canonicalJson } from '../../base/json/canonical-json.js';
import { checkValues } from '../../config/check-values.js';
import { findMissingDirectories } from '../../config/directories.js';
import { findNulCharacters } from '../../config/nul-characters.js';
import { resolveConfig } from '../../config/resolve-config.js';
import { configSchema } from '../../config/schema.js';
import type { PlanPath } from './plan-source.js';
import type { ProblemList } from './problem-list.js';

type Values = Readonly<Record<string, unknown>>;

export interface StepConfig {
  readonly config: Values;
  /** Absolute path of the working directory. Undefined if the folder does not exist. */
  readonly workingDir: string | undefined;
}

interface CheckedConfig extends StepConfig {
  readonly problems: readonly ConfigProblem[];
}

/**
 * Creates a function that merges the configuration of a step with the defaults and checks the result as the provider
 * does. Equal values are checked once; a problem of the defaults is reported once.
 */
export function createConfigReader(defaults: Values, baseDir: string, problems: ProblemList) {
  const wrong = findWrongValues(defaults);
  report(wrong, ['defaults'], problems);
  const wrongKeys = new Set(wrong.map(({ key }) => key.split('.', 1)[0]));
  const validDefaults = Object.fromEntries(
    Object.entries(defaults).filter(([key]) => !wrongKeys.has(key)),
  );
  const ofDefaults = new Set(check(validDefaults, baseDir).problems.map(identify));
  const reported = new Set<string>();
  const known = new Map<string, CheckedConfig>();
  // Values that JSON cannot express, such as functions, are told apart by identity.
  const namesOfOthers = new Map<unknown, string>();
  const nameOther = (value: unknown): string => {
    const name = namesOfOthers.get(value) ?? `other ${namesOfOthers.size}`;
    namesOfOthers.set(value, name);
    return name;
  };

  return (own: Values, at: PlanPath): StepConfig => {
    const key = canonicalJson(own, nameOther);
    const checked = known.get(key) ?? check({ ...validDefaults, ...own }, baseDir);
    known.set(key, checked);
    for (const problem of checked.problems) {
      const isOwn = Object.hasOwn(own, problem.key.split('.', 1)[0] ?? '');
      const identity = identify(problem);
      if (isOwn || !ofDefaults.has(identity)) report([problem], at, problems);
      else if (!reported.has(identity)) {
        reported.add(identity);
        report([problem], ['defaults'], problems);
      }
    }
    return checked;
  };
}

/** Finds values that are invalid alone. Conflicts between keys are left out: a step may override one of the keys. */
function findWrongValues(values: Values): ConfigProblem[] {
  return [...checkValues(configSchema, values).problems, ...findNulCharacters(values)];
}

function check(values: Values, baseDir: string): CheckedConfig {
  const given = values['workingDir'];
  const folder = resolve(baseDir, typeof given === 'string' ? given : '.');
  const stats = statIfThere(folder);
  const workingDir = stats?.isDirectory() ? folder : undefined;
  const problems: ConfigProblem[] = [];
  if (workingDir === undefined) {
    const problem = stats === undefined ? 'does not exist' : 'is not a directory';
    problems.push({ key: 'workingDir', value: given, problem: `${folder} ${problem}` });
  }
  try {
    const resolved = resolveConfig(values);
    if (workingDir !== undefined) problems.push(...findMissingDirectories(resolved, workingDir));
  } catch (error) {
    if (!ProviderError.isInstance(error)) throw error;
    problems.push(...(error.problems ?? []));
  }
  return { config: { ...values, workingDir: folder }, workingDir, problems };
}

function report(found: readonly ConfigProblem[], at: PlanPath, problems: ProblemList): void {
  for (const { key, value, problem } of found) {
    const path = key.split('.').map((part) => (/^\d+$/.test(part) ? Number(part) : part));
    problems.add([...at, ...path], value, problem);
  }
}

function identify({ key, value, problem }: ConfigProblem): string {
  return JSON.stringify([key, value, problem]);
}
