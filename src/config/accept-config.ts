import { inspect } from 'node:util';
import type { Logger } from '../api/logger.js';
import { readInput } from '../base/errors/invalid-input.js';
import { findSizeProblem } from '../base/json/find-size-problem.js';
import { isObject } from '../base/json/is-object.js';
import { isPlainObject } from '../base/json/is-plain-object.js';
import { cleanLine } from '../base/text/clean-text.js';
import { invalidConfig, toProblem } from './config-problem.js';
import { findMissingFixedDirectories } from './directories.js';
import { nearestConfigKey } from './key-spelling.js';
import { silentLogger } from './logging.js';
import {
  type ConfigValues,
  normaliseKeys,
  type ResolvedConfig,
  resolveConfig,
} from './resolve-config.js';
import { isLogger } from './schema.js';

export interface AcceptedConfig {
  /** Given options under their camelCase names. Options of one step override them. */
  readonly values: ConfigValues;
  readonly config: ResolvedConfig;
}

/**
 * Checks options from code or from a file and merges them over `base`. Throws INVALID_CONFIG with every problem at
 * once, missing directories included.
 */
export function acceptConfig(input: unknown, base: ConfigValues = {}): AcceptedConfig {
  return readInput('The configuration', () => checkConfig(input, base), 'INVALID_CONFIG');
}

function checkConfig(input: unknown, base: ConfigValues): AcceptedConfig {
  const { values: given, unknownKeys, problems } = normaliseKeys(readOptions(input, 'config'));
  const values = { ...base, ...given };
  warnOfUnknownKeys(unknownKeys, chooseLogger(values['logger']));
  return { values, config: resolveConfig(values, [...problems, ...findMissing(values)]) };
}

/** Warns of unknown options, which are most likely typing errors. They are no reason to stop. Exported for its test. */
export function warnOfUnknownKeys(keys: readonly string[], logger: Logger): void {
  for (const key of keys) {
    const nearest = nearestConfigKey(key);
    const suggestion = nearest === undefined ? '' : ` Did you mean "${nearest}"?`;
    const message = `Unknown configuration key "${cleanLine(key)}" is ignored.${suggestion}`;
    logger.warn({ key, nearest }, message);
    process.emitWarning(message, {
      type: 'GeminiCliProviderWarning',
      code: 'GEMINI_CLI_PROVIDER_UNKNOWN_KEY',
    });
  }
}

/** Most values in a configuration, in all its objects and lists together. */
const MOST_VALUES = 100_000;

/** Returns the object, or an empty one for null and undefined: an empty YAML file is null. */
export function readObject(input: unknown, name: string): object {
  if (input === undefined || input === null) return {};
  if (isObject(input)) return input;
  throw invalidConfig([toProblem([name], input, 'must be an object')]);
}

/** Like `readObject`, but refuses class instances: a Map, for example, would pass for an empty configuration. */
export function readOptions(input: unknown, name: string): object {
  const object = readObject(input, name);
  if (isPlainObject(object)) {
    const problem = findSizeProblem(object, MOST_VALUES);
    if (problem === undefined) return object;
    throw invalidConfig([{ key: name, value: 'too large to be shown', problem }]);
  }
  const shown = inspect(object, { depth: 0 });
  throw invalidConfig([toProblem([name], shown, 'must be a plain object, not an instance')]);
}

function chooseLogger(value: unknown): Logger {
  return isLogger(value) ? value : silentLogger;
}

/** Skips values of a wrong type: the schema reports them. */
function findMissing({ workingDir, includeDirectories }: ConfigValues) {
  const isPath = (value: unknown): value is string => typeof value === 'string' && value !== '';
  const directories = Array.isArray(includeDirectories) ? includeDirectories.filter(isPath) : [];
  return findMissingFixedDirectories({
    workingDir: isPath(workingDir) ? workingDir : undefined,
    includeDirectories: directories.filter((path) => !path.includes(',')),
  });
}
