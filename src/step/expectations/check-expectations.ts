import { delimiter } from 'node:path';
import { projectInstallPaths } from '../../agents/gemini/install-paths.js';
import type { Expectations } from '../../api/expectations.js';
import type { ManifestFile } from '../../api/manifest.js';
import type { Redactor } from '../../base/errors/redact.js';
import type { TreeIsolation } from '../../base/process/isolation.js';
import { checkCommand, nameOfCommand } from './check-command.js';
import type { CheckedOutput } from './check-output.js';
import { checkOutputInTime } from './check-output-in-thread.js';
import { ConditionResults } from './condition-results.js';

/** Output of a successful step, and the environment of its checks. */
export interface ExpectationSubject {
  readonly text: string;
  /** Answer of each turn, if there was more than one. JSON is searched from the last answer backwards. */
  readonly answers?: readonly string[] | undefined;
  readonly files: readonly ManifestFile[];
  readonly workingDir: string;
  /** Environment of the commands. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Means that hold the processes of the commands together. */
  readonly isolation?: TreeIsolation | undefined;
  /** Removes the secrets of the step from the output of the commands. */
  readonly redactor: Redactor;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Checks all expectations, so that one repair prompt can name every failure. Commands run last, because they are slow,
 * and all of them run. Throws the reason of the signal if that is aborted.
 */
export async function checkExpectations(
  expects: Expectations,
  subject: ExpectationSubject,
): Promise<CheckedOutput> {
  const { text, files, answers = [text], signal } = subject;
  const { noChangesOutside } = expects;
  const conditions = {
    files: toList(expects.files),
    contains: toList(expects.contains),
    noChangesOutside: noChangesOutside === undefined ? undefined : toList(noChangesOutside),
    json: expects.json,
  };
  const checked = await checkOutputInTime(conditions, { text, answers, files }, signal);
  const checks = new ConditionResults();
  checks.addAll(checked);
  const environment = {
    workingDir: subject.workingDir,
    env: withProjectPrograms(subject.env, subject.workingDir),
    redactor: subject.redactor,
    isolation: subject.isolation,
    signal,
  };
  for (const command of toList(expects.command)) {
    const name = subject.redactor.text(nameOfCommand(command));
    checks.add('command', name, await checkCommand(command, environment));
  }
  signal?.throwIfAborted();
  const { missing, results } = checks;
  return { ...checked, missing, results };
}

function toList<Item extends string | object>(
  given: Item | readonly Item[] | undefined,
): readonly Item[] {
  if (given === undefined) return [];
  return isList(given) ? given : [given];
}

function isList<Item>(given: Item | readonly Item[]): given is readonly Item[] {
  return Array.isArray(given);
}

/** Puts `node_modules/.bin` folders on PATH, as npm does for scripts. Windows may spell PATH in another case. */
function withProjectPrograms(
  env: ExpectationSubject['env'],
  workingDir: string,
): Readonly<Record<string, string>> {
  const variables: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value !== undefined) variables[name] = value;
  }
  const name = Object.keys(variables).find((key) => key.toUpperCase() === 'PATH') ?? 'PATH';
  const folders = [...projectInstallPaths(workingDir), variables[name] ?? ''];
  variables[name] = folders.filter((folder) => folder !== '').join(delimiter);
  return variables;
}
