import type { DiagnoseOptions, Diagnosis } from '../../api/diagnosis.js';
import type { ConfigProblem } from '../../api/error.js';
import type { ProviderConfig } from '../../api/provider-config.js';
import { invalidInput, readInput } from '../../base/errors/invalid-input.js';
import { isObject } from '../../base/json/is-object.js';
import { readOptions } from '../../config/accept-config.js';

/** Most problems and folders that a caller may give. */
const MOST_PROBLEMS = 10_000;

/**
 * Finds all problems that would make a step with this configuration fail: configuration, CLI, version, settings, login,
 * trust, approval mode, sandbox, folders. Never calls the model. Each check runs even if others fail, so a problem is a
 * finding and not an exception. `known` are problems that the caller has found before, for example while it read a file.
 */
export async function diagnose(
  config: ProviderConfig = {},
  known: readonly ConfigProblem[] = [],
  options: DiagnoseOptions = {},
): Promise<Diagnosis> {
  const input = readInput('config', () => readOptions(config, 'config'), 'INVALID_CONFIG');
  readInput('known', () => {
    if (!isProblems(known)) throw invalidInput('known', 'a list of problems', known);
  });
  const agentDirs = readInput('options', () => readAgentDirs(options));
  // The checks load when they are first used: importing the package must not cost more.
  const { runChecks } = await import('./run-checks.js');
  return runChecks(input, known, agentDirs === undefined ? {} : { agentDirs });
}

function isProblems(known: unknown): boolean {
  if (!Array.isArray(known) || known.length > MOST_PROBLEMS) return false;
  return known.every((one: unknown) => {
    return isObject(one) && typeof one['key'] === 'string' && typeof one['problem'] === 'string';
  });
}

function readAgentDirs(options: DiagnoseOptions): readonly string[] | undefined {
  if (!isObject(options)) throw invalidInput('options', 'an object', options);
  const { agentDirs } = options;
  const isList =
    Array.isArray(agentDirs) &&
    agentDirs.length <= MOST_PROBLEMS &&
    agentDirs.every((dir) => typeof dir === 'string');
  if (agentDirs === undefined || isList) return agentDirs;
  throw invalidInput('agentDirs', 'a list of paths', agentDirs);
}
