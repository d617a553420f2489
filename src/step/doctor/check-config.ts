import { resolve } from 'node:path';
import { createAgentEnvironment } from '../../agents/gemini/agent-environment.js';
import type { Finding } from '../../api/diagnosis.js';
import type { ConfigProblem } from '../../api/error.js';
import { ProviderError } from '../../base/errors/provider-error.js';
import { readEnvironment } from '../../base/process/environment.js';
import { invalidConfig } from '../../config/config-problem.js';
import { findMissingFixedDirectories } from '../../config/directories.js';
import { nearestConfigKey } from '../../config/other-keys.js';
import {
  type ConfigValues,
  normaliseKeys,
  type ResolvedConfig,
  resolveConfig,
} from '../../config/resolve-config.js';
import { note, ok, problem } from './finding.js';

const CHECK = 'configuration';

export interface CheckedConfig {
  /** Configuration with defaults in place of invalid values, so that the other checks can still run. */
  readonly config: ResolvedConfig;
  /** Working directory of a step; it may not exist. */
  readonly workingDir: string;
  readonly findings: readonly Finding[];
}

/** Returns the folders of a step, and the time for their first answer, without a look at the disk. */
export function listGivenFolders(input: object): {
  readonly folders: readonly string[];
  readonly limitMs: number;
} {
  const { values, problems } = normaliseKeys(input);
  const { config } = resolveUsable(values, problems);
  const workingDir = resolve(config.workingDir ?? process.cwd());
  const { geminiHome } = createAgentEnvironment(config, readEnvironment(), '');
  const included = config.includeDirectories.map((dir) => resolve(workingDir, dir));
  const folders = [workingDir, ...included, geminiHome];
  return { folders, limitMs: Math.min(config.startTimeoutMs, config.timeoutMs) };
}

/** Checks all values. `known` are problems that were found before, while the configuration was read. */
export function checkConfig(input: object, known: readonly ConfigProblem[]): CheckedConfig {
  const { values, unknownKeys, problems } = normaliseKeys(input);
  const { config, wrong } = resolveUsable(values, problems);
  const workingDir = resolve(config.workingDir ?? process.cwd());
  const missing = findMissingFixedDirectories({ ...config, workingDir });
  const findings = [
    ...unknownKeys.map((key) => note(CHECK, describeUnknownKey(key))),
    ...[...known, ...wrong, ...missing].map((configProblem) => {
      const { message, hint } = invalidConfig([configProblem]);
      return problem(CHECK, message, hint);
    }),
  ];
  if (findings.length === 0) findings.push(ok(CHECK, 'All values are valid'));
  return { config, workingDir, findings };
}

function describeUnknownKey(key: string): string {
  const nearest = nearestConfigKey(key);
  return `Unknown key "${key}"${nearest === undefined ? '' : `. Did you mean "${nearest}"?`}`;
}

function resolveUsable(
  values: ConfigValues,
  problems: readonly ConfigProblem[],
): { readonly config: ResolvedConfig; readonly wrong: readonly ConfigProblem[] } {
  try {
    return { config: resolveConfig(values, problems, { tools: 'gemini' }), wrong: [] };
  } catch (error) {
    if (!ProviderError.isInstance(error) || error.problems === undefined) throw error;
    const wrongKeys = new Set(error.problems.map(({ key }) => key.split('.')[0]));
    const usable = Object.entries(values).filter(([key]) => !wrongKeys.has(key));
    return { config: resolveConfig(Object.fromEntries(usable)), wrong: error.problems };
  }
}
