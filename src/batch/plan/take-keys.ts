import { countOf } from '../../base/text/count-of.js';
import { createSuggest, type Suggest } from '../../base/text/nearest-name.js';
import { toSnakeCase } from '../../base/text/snake-case.js';
import type { PlanPath } from './plan-source.js';
import type { ProblemList } from './problem-list.js';

/** Most keys of an object that a problem names. */
const MOST_KEYS_SHOWN = 5;

/** Rules for the keys of one kind of object, in camelCase and snake_case. */
export interface KeyRules {
  /** Key in camelCase, by spelling. */
  readonly keyOf: ReadonlyMap<string, string>;
  /** Problem of each key that belongs to another object, by spelling. */
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
      Object.entries(refused).flatMap(([key, problem]) =>
        spellings(key).map((spelling): [string, string] => [spelling, problem]),
      ),
    ),
    suggest: createSuggest(keys),
  };
}

/** Returns the values under their camelCase keys. Null means not set. Adds a problem for each other key. */
export function takeKeys(
  input: object,
  rules: KeyRules,
  at: PlanPath,
  problems: ProblemList,
): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const [spelling, value] of Object.entries(input)) {
    // `$schema` names the schema for editors.
    if (value === undefined || value === null || spelling === '$schema') continue;
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

/**
 * Describes an object or a list in a problem by its keys or its length: the content of an unknown key may be long or
 * secret.
 */
export function outline(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    return value.length === 0 ? 'an empty list' : `a list of ${countOf(value.length, 'item')}`;
  }
  const keys = Object.keys(value);
  if (keys.length === 0) return 'an empty object';
  const more = keys.length > MOST_KEYS_SHOWN ? ', …' : '';
  return `an object with ${keys.slice(0, MOST_KEYS_SHOWN).join(', ')}${more}`;
}
