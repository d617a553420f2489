import { relative } from 'node:path';
import { toSlashes } from '../../base/fs/paths.js';
import { canonicalJson } from '../../base/json/canonical-json.js';

type Config = Readonly<Record<string, unknown>>;

const LONGEST_VALUE = 80;

/**
 * Describes the configuration of a step: each key that is set, with its value. Values of `env` are hidden, because they
 * may be secrets. `base` holds values that are described elsewhere: equal ones are left out.
 */
export function describeSettings(config: Config, baseDir: string, base: Config = {}): string[] {
  return Object.entries(config).flatMap(([key, value]) => {
    if (value === undefined) return [];
    if (Object.hasOwn(base, key) && isEqual(base[key], value)) return [];
    if (key !== 'workingDir') return [`${key} ${describeValue(key, value)}`];
    const folder = toSlashes(relative(baseDir, String(value)));
    return folder === '' ? [] : [`workingDir ${folder}`];
  });
}

/** Returns the values that all configurations share. */
export function findCommonSettings(configs: readonly Config[]): Config {
  const [first = {}, ...others] = new Set(configs);
  return Object.fromEntries(
    Object.entries(first).filter(([key, value]) => {
      return others.every((config) => Object.hasOwn(config, key) && isEqual(config[key], value));
    }),
  );
}

function describeValue(key: string, value: unknown): string {
  if (key === 'env' && typeof value === 'object' && value !== null) {
    return `${Object.keys(value).join(', ')} (values are hidden)`;
  }
  if (Array.isArray(value)) return value.map(String).join(', ');
  const text = typeof value === 'string' ? value : canonicalJson(value, (other) => typeof other);
  return text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}…` : text;
}

function isEqual(a: unknown, b: unknown): boolean {
  const describe = (value: unknown): string => typeof value;
  return a === b || canonicalJson(a, describe) === canonicalJson(b, describe);
}
