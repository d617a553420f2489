import { createSuggest, type Suggest } from '../../base/text/nearest-name.js';
import { type PlanPath, toSnakeCase } from './plan-source.js';
import type { ProblemList } from './problem-list.js';

/** The keys of one kind of object, in both spellings. */
export interface KeyRules {
  readonly keyOf: ReadonlyMap<string, string>;
  /** What to say of keys that are known, but not here. */
  readonly refused: ReadonlyMap<string, string>;
  readonly suggest: Suggest;
}

export function createKeyRules(
  keys: readonly string[],
  refused: Readonly<Record<string, string>> = {},
): KeyRules {
  const spellings = (key: string) => [key, toSnakeCase(key)];
  return {
    keyOf: new Map(
      keys.flatMap((key) => spellings(key).map((spelling): [string, string] => [spelling, key])),
    ),
    refused: new Map(
      Object.entries(refused).flatMap(([key, text]) =>
        spellings(key).map((spelling): [string, string] => [spelling, text]),
      ),
    ),
    suggest: createSuggest(keys),
  };
}

/** The values under their camelCase names; null means not set. All else is a problem. */
export function takeKeys(
  input: object,
  rules: KeyRules,
  at: PlanPath,
  problems: ProblemList,
): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const [spelling, value] of Object.entries(input)) {
    if (value === undefined || value === null) continue;
    const refusal = rules.refused.get(spelling);
    const key = rules.keyOf.get(spelling);
    const path = [...at, key ?? spelling];
    if (refusal !== undefined) problems.add(path, outline(value), refusal);
    else if (key === undefined) {
      problems.add(path, outline(value), `is an unknown key${rules.suggest(spelling)}`);
    } else if (Object.hasOwn(values, key)) {
      problems.add(path, outline(value), 'is given in both spellings');
    } else values[key] = value;
  }
  return values;
}

/** Nobody knows what is inside of what nobody knows: it may be long, and secret. */
export function outline(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  return Array.isArray(value) ? '[…]' : '{…}';
}
