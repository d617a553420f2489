import { InvalidArgumentError, type Option } from 'commander';
import type { ConfigProblem } from '../../api/error.js';
import type { Environment } from '../../base/process/environment.js';
import { nearestName } from '../../base/text/nearest-name.js';
import { toSnakeCase } from '../../base/text/snake-case.js';
import { CONFIG_KEYS } from '../../config/schema.js';
import { CONFIG_FLAGS } from './config-flags.js';
import type { ConfigLayer, ValueOrigin } from './config-layer.js';

const PREFIX = 'GEMINI_CLI_PROVIDER_';
/** Variables of this package that are no settings. */
const OTHER_VARIABLES = ['CONFIG', 'QUEUE', 'QUEUE_SECRET', 'STATE_KEY', 'TAG', 'LOG_LEVEL'];
const OTHER_PREFIXES = ['BATCH_', 'TEST_'];
/** Settings of one step, and settings that only code can give. */
const WITHOUT_VARIABLE = ['resume', 'sessionId', 'onPermission', 'logger'];

const TRUE = ['true', '1', 'yes', 'on'];
const FALSE = ['false', '0', 'no', 'off'];

export interface ConfigVariables extends ConfigLayer {
  /** Path of GEMINI_CLI_PROVIDER_CONFIG. */
  readonly config: string | undefined;
  readonly logLevel: string | undefined;
  readonly problems: readonly ConfigProblem[];
  /** Warnings about variables that no setting has. */
  readonly unknown: readonly string[];
}

const KEYS: ReadonlyMap<string, string> = new Map(
  CONFIG_KEYS.filter((key) => !WITHOUT_VARIABLE.includes(key)).map((key) => [variableOf(key), key]),
);

/** Returns the name of the variable of a setting: `GEMINI_CLI_PROVIDER_APPROVAL_MODE`. */
export function variableOf(key: string): string {
  return `${PREFIX}${toSnakeCase(key).toUpperCase()}`;
}

/** Reads the settings in variables `GEMINI_CLI_PROVIDER_*`. An empty variable counts as not set. */
export function readConfigVariables(env: Environment): ConfigVariables {
  const values: Record<string, unknown> = {};
  const origins = new Map<string, ValueOrigin>();
  const problems: ConfigProblem[] = [];
  const unknown: string[] = [];
  for (const [name, text] of Object.entries(env)) {
    if (!name.startsWith(PREFIX) || text === undefined || text.trim() === '') continue;
    const key = KEYS.get(name);
    if (key === undefined) {
      if (!isOther(name.slice(PREFIX.length))) unknown.push(describeUnknown(name));
      continue;
    }
    const read = readValue(key, text);
    origins.set(key, { name });
    if ('problem' in read)
      problems.push({ key: name, value: hide(key, text), problem: read.problem });
    else values[key] = read.value;
  }
  const [config, logLevel] = [env[`${PREFIX}CONFIG`], env[`${PREFIX}LOG_LEVEL`]];
  return {
    values,
    origins,
    problems,
    unknown,
    config: config || undefined,
    logLevel: logLevel || undefined,
  };
}

function isOther(rest: string): boolean {
  return OTHER_VARIABLES.includes(rest) || OTHER_PREFIXES.some((prefix) => rest.startsWith(prefix));
}

function describeUnknown(name: string): string {
  const nearest = nearestName(name, [...KEYS.keys(), `${PREFIX}CONFIG`, `${PREFIX}LOG_LEVEL`]);
  const suggestion = nearest === undefined ? '' : ` Did you mean ${nearest}?`;
  return `The variable ${name} is unknown and ignored.${suggestion}`;
}

function hide(key: string, text: string): string {
  return key === 'env' ? '(hidden)' : text;
}

type ReadValue = { readonly value: unknown } | { readonly problem: string };

/** Reads a value as its flag would. A list is a JSON array or one entry per line; objects are JSON. */
function readValue(key: string, text: string): ReadValue {
  const flag = CONFIG_FLAGS.find((one) => !one.negate && one.attributeName() === key);
  const trimmed = text.trim();
  if (/^[[{]/.test(trimmed)) return readJson(trimmed);
  if (flag === undefined) return { problem: 'must be JSON' };
  const word = trimmed.toLowerCase();
  if (isSwitch(key, flag) && FALSE.includes(word)) return { value: false };
  if (isSwitch(key, flag) && TRUE.includes(word)) return { value: true };
  if (flag.isBoolean()) return { problem: 'must be true or false' };
  if (flag.description.includes('(repeatable)')) {
    return key === 'env' ? { problem: 'must be a JSON object' } : { value: listOf(text) };
  }
  return parseAsFlag(flag, text);
}

/** True for settings that may be off or on; some of them may also be a text. */
function isSwitch(key: string, flag: Option): boolean {
  return flag.isBoolean() || ['sandbox', 'keepArtifacts', 'protectedPaths'].includes(key);
}

function listOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

function readJson(text: string): ReadValue {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return { problem: 'begins as JSON, but is not JSON' };
  }
}

function parseAsFlag(flag: Option, text: string): ReadValue {
  try {
    return { value: flag.parseArg === undefined ? text : flag.parseArg(text, undefined) };
  } catch (error) {
    if (error instanceof InvalidArgumentError) return { problem: error.message };
    throw error;
  }
}
