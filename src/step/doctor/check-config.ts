import { resolve } from 'node:path';
import type { ConfigProblem } from '../../api/error.js';
import { ProviderError } from '../../base/errors/provider-error.js';
import { invalidConfig } from '../../config/config-problem.js';
import { findMissingFixedDirectories } from '../../config/directories.js';
import {
  type ConfigValues,
  normaliseKeys,
  type ResolvedConfig,
  resolveConfig,
} from '../../config/resolve-config.js';
import { type Finding, note, ok, problem } from './finding.js';

const CHECK = 'configuration';

export interface CheckedConfig {
  /** With defaults in the place of what is wrong, so that everything else can still be looked at. */
  readonly config: ResolvedConfig;
  /** Where a run would be; it may be missing. */
  readonly workingDir: string;
  readonly findings: readonly Finding[];
}

/** `known` are problems that were found before there was a configuration at all. */
export function checkConfig(input: object, known: readonly ConfigProblem[]): CheckedConfig {
  const { values, unknownKeys, problems } = normaliseKeys(input);
  const { config, wrong } = resolveUsable(values, problems);
  const workingDir = resolve(config.workingDir ?? process.cwd());
  const missing = findMissingFixedDirectories({ ...config, workingDir });
  const findings = [
    ...unknownKeys.map((key) => note(CHECK, `Unknown key "${key}"`)),
    ...[...known, ...wrong, ...missing].map((what) => {
      const { message, hint } = invalidConfig([what]);
      return problem(CHECK, message, hint);
    }),
  ];
  if (findings.length === 0) findings.push(ok(CHECK, 'Every value can be used'));
  return { config, workingDir, findings };
}

function resolveUsable(
  values: ConfigValues,
  problems: readonly ConfigProblem[],
): { readonly config: ResolvedConfig; readonly wrong: readonly ConfigProblem[] } {
  try {
    return { config: resolveConfig(values, problems), wrong: [] };
  } catch (error) {
    if (!ProviderError.isInstance(error) || error.problems === undefined) throw error;
    const wrongKeys = new Set(error.problems.map(({ key }) => key.split('.')[0]));
    const usable = Object.entries(values).filter(([key]) => !wrongKeys.has(key));
    return { config: resolveConfig(Object.fromEntries(usable)), wrong: error.problems };
  }
}
