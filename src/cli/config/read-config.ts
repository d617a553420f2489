import { resolve } from 'node:path';
import type { ConfigProblem } from '../../api/error.js';
import type { PlanProblem } from '../../api/plan-problem.js';
import { ProviderError } from '../../base/errors/provider-error.js';
import { type Environment, readEnvironment } from '../../base/process/environment.js';
import { describeProblem, invalidConfig } from '../../config/config-problem.js';
import { createStderrLogger } from '../../config/logging.js';
import { resolveConfig } from '../../config/resolve-config.js';
import { readStdin, STDIN_NAME } from '../read-stdin.js';
import {
  type ConfigFile,
  parseConfigText,
  readConfigFile,
  readFoundFile,
  readMapping,
} from './config-file.js';
import { CONFIG_FLAGS } from './config-flags.js';
import { type ConfigLayer, EMPTY_LAYER, locateProblem, mergeLayers } from './config-layer.js';
import { type ConfigVariables, readConfigVariables } from './config-variables.js';
import { findProjectConfig, findUserConfig } from './find-config-file.js';
import { limitRights, NEEDS_TRUST, TRUST_HINT } from './found-config-rights.js';

type Values = Readonly<Record<string, unknown>>;

/** Flags that do not become a configuration key of the same name. */
const CONVERTED_FLAGS: ReadonlySet<string> = new Set([
  'cwd',
  'workingDir',
  'systemPrompt',
  'systemPromptFile',
  'systemPromptMode',
  'prices',
  'logLevel',
]);
const LEVELS = ['debug', 'info', 'warn'] as const;

export interface ReadConfigOptions {
  /** @defaultValue the environment of this process */
  readonly env?: Environment;
  /** Folder in which the config file of a project is looked for. @defaultValue the current folder */
  readonly start?: string;
  /** Prints a warning, or a line about what the command waits for. */
  readonly say?: (line: string) => void;
  /** Prints the name of a file that was found. @defaultValue none */
  readonly announce?: ((line: string) => void) | undefined;
}

export interface CollectedConfig {
  readonly config: Record<string, unknown>;
  /** Problems with their file and line. */
  readonly problems: readonly ConfigProblem[];
  /** Files that were read. */
  readonly files: readonly string[];
}

/**
 * Reads the configuration from flags, variables, the config file and the user's own file, in this order of precedence.
 * Throws INVALID_CONFIG with all problems, each with its file and line.
 */
export async function readConfig(
  flags: Values,
  options: ReadConfigOptions = {},
): Promise<Record<string, unknown>> {
  const { config, problems, files } = await collectConfig(flags, options);
  for (const path of files) options.announce?.(`Configuration: ${path}`);
  if (problems.length > 0) throw refuse(problems);
  return config;
}

/** Does the same without throwing for wrong values. Throws INVALID_CONFIG if a file cannot be read. */
export async function collectConfig(
  flags: Values,
  { env = readEnvironment(), start = process.cwd(), say = () => {} }: ReadConfigOptions = {},
): Promise<CollectedConfig> {
  const variables = readConfigVariables(env);
  const fromFlags = readFlags(flags);
  const { ofUser, ofProject, problems, files } = await readFiles(
    { flags, variables, fromFlags, env, start },
    say,
  );
  const layers = [ofUser, ofProject, variables, fromFlags];
  const merged = mergeLayers(layers);
  const values: Record<string, unknown> = { ...merged.values };
  const found = [...problems, ...variables.problems];
  try {
    applySystemPrompt(values, flags);
  } catch (error) {
    found.push(...problemsOf(error));
  }
  const isStrict = values['strict'] === true;
  for (const unknown of [...(ofUser.unknown ?? []), ...(ofProject.unknown ?? [])]) {
    if (isStrict) found.push(unknown);
    else
      say(
        `Warning: ${unknown.file}:${unknown.line} "${unknown.name}" ${describeIgnored(unknown.problem)}`,
      );
  }
  for (const line of variables.unknown) say(`Warning: ${line}`);
  const wrong = findWrong(values).map((problem) => locateProblem(problem, merged.origins));
  const prices = flags['prices'];
  if (typeof prices === 'string') values['prices'] = await readMapping(prices, 'prices');
  const level = flags['logLevel'] ?? variables.logLevel;
  if (level !== undefined) values['logger'] = await createLogger(level, found);
  return { config: values, problems: [...found, ...wrong], files };
}

interface Given {
  readonly flags: Values;
  readonly variables: ConfigVariables;
  readonly fromFlags: ConfigLayer;
  readonly env: Environment;
  readonly start: string;
}

interface ReadFiles {
  readonly ofUser: ConfigLayer & Partial<Pick<ConfigFile, 'unknown'>>;
  readonly ofProject: ConfigLayer & Partial<Pick<ConfigFile, 'unknown'>>;
  readonly problems: readonly ConfigProblem[];
  readonly files: readonly string[];
}

/** Reads the file that is named; without one, the user's own file and that of the project. */
async function readFiles(given: Given, say: (line: string) => void): Promise<ReadFiles> {
  const { flags, variables, env, start } = given;
  const named = flags['config'] ?? variables.config;
  if (named === false)
    return { ofUser: EMPTY_LAYER, ofProject: EMPTY_LAYER, problems: [], files: [] };
  if (typeof named === 'string') {
    const file = await readNamed(named, say);
    return { ofUser: EMPTY_LAYER, ofProject: file, problems: file.problems, files: [] };
  }
  const ownPath = findUserConfig(env);
  const own = ownPath && (await readFoundFile(ownPath));
  const found = findProjectConfig(start);
  if (found === undefined || found.path === own?.path) {
    const files = own === undefined ? [] : [own.path];
    return {
      ofUser: own ?? EMPTY_LAYER,
      ofProject: EMPTY_LAYER,
      problems: own?.problems ?? [],
      files,
    };
  }
  const file = await readFoundFile(found);
  const ofUser = own ?? EMPTY_LAYER;
  const { trustWorkspace } = mergeLayers([ofUser, variables, given.fromFlags]).values;
  const limited = limitRights({ found, file, ofUser: ofUser.values, trustWorkspace, env });
  return {
    ofUser,
    ofProject: { ...limited.layer, unknown: file.unknown },
    problems: [...(own?.problems ?? []), ...file.problems, ...limited.problems],
    files: [...(own === undefined ? [] : [own.path]), file.path],
  };
}

async function readNamed(path: string, say: (line: string) => void): Promise<ConfigFile> {
  if (path !== STDIN_NAME) return readConfigFile(path);
  const { signal } = new AbortController();
  const text = await readStdin(process.stdin, { what: 'the config file', signal, say });
  return parseConfigText('stdin', text);
}

function readFlags(flags: Values): ConfigLayer {
  const values: Record<string, unknown> = {};
  for (const flag of CONFIG_FLAGS) {
    const name = flag.attributeName();
    if (!CONVERTED_FLAGS.has(name) && flags[name] !== undefined) values[name] = flags[name];
  }
  const workingDir = flags['cwd'] ?? flags['workingDir'];
  if (workingDir !== undefined) values['workingDir'] = workingDir;
  return { values, origins: new Map() };
}

function applySystemPrompt(config: Record<string, unknown>, flags: Values): void {
  const { systemPrompt: text, systemPromptFile: file, systemPromptMode: mode } = flags;
  // The path is relative to the current folder of the shell, not to the working directory of the step.
  if (typeof file === 'string') {
    config['systemPrompt'] = { mode: mode ?? 'prepend', file: resolve(file) };
  } else if (text !== undefined) config['systemPrompt'] = { mode: mode ?? 'prepend', text };
  else if (mode !== undefined) config['systemPrompt'] = changeMode(config, mode);
}

/** Applies a mode that is given alone to the system prompt of the config file. */
function changeMode({ systemPrompt: given }: Values, mode: unknown): unknown {
  if (typeof given === 'string') return { mode, text: given };
  if (typeof given === 'object' && given !== null) return { ...given, mode };
  const problem = 'needs a system prompt, from a flag or the config file';
  throw invalidConfig([{ key: 'systemPromptMode', value: mode, problem }]);
}

async function createLogger(level: unknown, problems: ConfigProblem[]): Promise<unknown> {
  const known = LEVELS.find((name) => name === level);
  if (known !== undefined) return createStderrLogger(known);
  problems.push({ key: 'logLevel', value: level, problem: `must be ${LEVELS.join(', ')}` });
  return undefined;
}

/** Returns the problems of all values, the keys in their camelCase spelling. */
function findWrong(values: Record<string, unknown>): readonly ConfigProblem[] {
  try {
    resolveConfig(values, [], { tools: 'gemini' });
    return [];
  } catch (error) {
    return problemsOf(error);
  }
}

function problemsOf(error: unknown): readonly ConfigProblem[] {
  if (ProviderError.isInstance(error) && error.problems !== undefined) return error.problems;
  throw error;
}

function describeIgnored(problem: string): string {
  const [what = '', nearest] = problem.split('. ');
  return `${what} and ignored.${nearest === undefined ? '' : ` ${nearest}`}`;
}

/** Creates the error for all problems. Its message has the file and the line of each. */
function refuse(
  problems: readonly (ConfigProblem & Pick<PlanProblem, 'file' | 'line'>)[],
): ProviderError {
  const { hint } = invalidConfig(problems);
  const texts = problems.map((problem) => {
    const { file, line } = problem;
    const location = [file, line].filter((part) => part !== undefined).join(':');
    return `${location === '' ? '' : `${location} `}${describeProblem(problem)}`;
  });
  return new ProviderError({
    code: 'INVALID_CONFIG',
    message: `Invalid configuration: ${texts.join('; ')}`,
    hint: problems.some(({ problem }) => problem === NEEDS_TRUST) ? `${TRUST_HINT} ${hint}` : hint,
    problems,
  });
}
