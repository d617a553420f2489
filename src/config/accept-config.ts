import { inspect } from 'node:util';
import type { Logger } from '../api/logger.js';
import { isPlainObject } from '../base/json/is-plain-object.js';
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
  /** Under their camelCase names, to be overridden by a call. */
  readonly values: ConfigValues;
  readonly config: ResolvedConfig;
}

/**
 * Takes in what an author or a file has written, on top of what is there already. Throws INVALID_CONFIG
 * with every problem at once, directories that do not exist included.
 */
export function acceptConfig(input: unknown, base: ConfigValues = {}): AcceptedConfig {
  const { values: given, unknownKeys, problems } = normaliseKeys(readOptions(input, 'config'));
  const values = { ...base, ...given };
  warnOfUnknownKeys(unknownKeys, chooseLogger(values['logger']));
  return { values, config: resolveConfig(values, [...problems, ...findMissing(values)]) };
}

/** An unknown option is most likely a typing error: said aloud, but never a reason to stop. */
export function warnOfUnknownKeys(keys: readonly string[], logger: Logger): void {
  for (const key of keys) {
    const nearest = nearestConfigKey(key);
    const suggestion = nearest === undefined ? '' : ` Did you mean "${nearest}"?`;
    const message = `Unknown configuration key "${key}" is ignored.${suggestion}`;
    logger.warn({ key, nearest }, message);
    process.emitWarning(message, {
      type: 'GeminiCliProviderWarning',
      code: 'GEMINI_CLI_PROVIDER_UNKNOWN_KEY',
    });
  }
}

/** An empty YAML file is null. */
export function readObject(input: unknown, name: string): object {
  if (input === undefined || input === null) return {};
  if (typeof input === 'object' && !Array.isArray(input)) return input;
  throw invalidConfig([toProblem([name], input, 'must be an object')]);
}

/** An instance of a class would pass for an empty configuration: its keys are not where options are. */
export function readOptions(input: unknown, name: string): object {
  const object = readObject(input, name);
  if (isPlainObject(object)) return object;
  const shown = inspect(object, { depth: 0 });
  throw invalidConfig([toProblem([name], shown, 'must be a plain object, not an instance')]);
}

function chooseLogger(value: unknown): Logger {
  return isLogger(value) ? value : silentLogger;
}

/** Values of a wrong type are the schema's to report. */
function findMissing({ workingDir, includeDirectories }: ConfigValues) {
  const isPath = (value: unknown): value is string => typeof value === 'string' && value !== '';
  const directories = Array.isArray(includeDirectories) ? includeDirectories.filter(isPath) : [];
  return findMissingFixedDirectories({
    workingDir: isPath(workingDir) ? workingDir : undefined,
    includeDirectories: directories.filter((path) => !path.includes(',')),
  });
}
