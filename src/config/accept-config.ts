import { inspect } from 'node:util';
import type { ConfigProblem } from '../api/error.js';
import { readInput } from '../base/errors/invalid-input.js';
import { messageOf } from '../base/errors/message-of.js';
import { findSizeProblem } from '../base/json/find-size-problem.js';
import { isObject } from '../base/json/is-object.js';
import { isPlainObject } from '../base/json/is-plain-object.js';
import { valueAt } from '../base/json/value-at.js';
import { cleanLine } from '../base/text/clean-text.js';
import { invalidConfig, toProblem } from './config-problem.js';
import { findMissingFixedDirectories } from './directories.js';
import { nearestConfigKey } from './other-keys.js';
import {
  type ConfigValues,
  normaliseKeys,
  type ResolvedConfig,
  type ResolveOptions,
  resolveConfig,
} from './resolve-config.js';
import { isLogger } from './schema.js';
import { findToolNameProblem } from './tool-names.js';

export interface AcceptedConfig {
  /** Given options under their camelCase names. Options of one step override them. */
  readonly values: ConfigValues;
  readonly config: ResolvedConfig;
}

/**
 * Checks options from code or from a file and merges them over `base`. Throws INVALID_CONFIG with every problem at
 * once, missing directories included.
 */
export function acceptConfig(
  input: unknown,
  base: ConfigValues = {},
  tools: ResolveOptions['tools'] = 'any',
): AcceptedConfig {
  return readInput('The configuration', () => checkConfig(input, base, tools), 'INVALID_CONFIG');
}

function checkConfig(
  input: unknown,
  base: ConfigValues,
  tools: ResolveOptions['tools'],
): AcceptedConfig {
  const normalised = normaliseKeys(readOptions(input, 'config'));
  const { values: given, unknownKeys, problems, givenKeys } = normalised;
  const values = { ...base, ...given };
  const isStrict = values['strict'] === true;
  const unknown = isStrict ? unknownKeys.map((key) => refuseUnknownKey(key, input)) : [];
  const config = resolveConfig(values, [...problems, ...unknown, ...findMissing(values)], {
    givenKeys,
    tools,
  });
  if (!isStrict) warnOfUnknownKeys(unknownKeys, values['logger']);
  if (tools === 'gemini') warnOfUnknownTools(given, values['logger']);
  return { values, config };
}

function refuseUnknownKey(key: string, input: unknown): ConfigProblem {
  const nearest = nearestConfigKey(key);
  const suggestion = nearest === undefined ? '' : `. Did you mean "${nearest}"?`;
  return toProblem([cleanLine(key)], valueAt(input, [key]), `is an unknown key${suggestion}`);
}

/** Warns of unknown options, which are most likely typing errors. They are no reason to stop. Exported for its test. */
export function warnOfUnknownKeys(keys: readonly string[], logger: unknown): void {
  for (const key of keys) {
    const nearest = nearestConfigKey(key);
    const suggestion = nearest === undefined ? '' : ` Did you mean "${nearest}"?`;
    const message = `Unknown configuration key "${cleanLine(key)}" is ignored.${suggestion}`;
    warn('GEMINI_CLI_PROVIDER_UNKNOWN_KEY', { key, nearest }, message, logger);
  }
}

/** Warns of rules for tools that are not built in: a tool of an extension, or a rule without effect. */
function warnOfUnknownTools(values: ConfigValues, logger: unknown): void {
  for (const key of ['allowedTools', 'deniedTools']) {
    for (const rule of Array.isArray(values[key]) ? values[key] : []) {
      const found = findToolNameProblem(String(rule));
      if (found === undefined) continue;
      const message = `${key}: ${JSON.stringify(cleanLine(String(rule)))} ${found.problem}.`;
      warn('GEMINI_CLI_PROVIDER_UNKNOWN_TOOL', { key, rule }, message, logger);
    }
  }
}

/** Writes a warning to the logger of the caller. Without one, Node prints it on stderr. */
function warn(code: string, fields: object, message: string, logger: unknown): void {
  if (isLogger(logger)) logger.warn(fields, message);
  else process.emitWarning(message, { type: 'GeminiCliProviderWarning', code });
}

/** Most values in a configuration, in all its objects and lists together. */
const MOST_VALUES = 100_000;

/** Returns the object, or an empty one for null and undefined: an empty YAML file is null. */
export function readObject(input: unknown, name: string): Record<string, unknown> {
  if (input === undefined || input === null) return {};
  if (isObject(input)) return input;
  throw invalidConfig([toProblem([name], input, 'must be an object')]);
}

/**
 * Like `readObject`, but refuses class instances: a Map, for example, would pass for an empty configuration. Throws
 * INVALID_CONFIG also for a proxy of the caller that throws.
 */
export function readOptions(input: unknown, name: string): object {
  return readInput(name, () => checkOptions(input, name), 'INVALID_CONFIG');
}

function checkOptions(input: unknown, name: string): object {
  const object = readObject(input, name);
  if (isPlainObject(object)) {
    const problem = findProblemOfSize(object);
    if (problem === undefined) return object;
    throw invalidConfig([{ key: name, value: 'too large to be shown', problem }]);
  }
  const shown = inspect(object, { depth: 0 });
  throw invalidConfig([toProblem([name], shown, 'must be a plain object, not an instance')]);
}

/** Looks at every value once. A getter or a proxy of the caller may throw. */
function findProblemOfSize(object: object): string | undefined {
  try {
    return findSizeProblem(object, MOST_VALUES);
  } catch (error) {
    return `has a value that cannot be read: ${messageOf(error)}`;
  }
}

/** Skips values of a wrong type: the schema reports them. */
function findMissing({ workingDir, includeDirectories }: ConfigValues) {
  const isPath = (value: unknown): value is string => typeof value === 'string' && value !== '';
  const directories = Array.isArray(includeDirectories) ? includeDirectories.filter(isPath) : [];
  return findMissingFixedDirectories({
    workingDir: isPath(workingDir) ? workingDir : undefined,
    includeDirectories: directories,
  });
}
