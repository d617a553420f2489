import { relative } from 'node:path';
import type { StepWarning } from '../../api/result.js';
import { toSlashes } from '../../base/fs/paths.js';
import type { ProtectedFiles, UndoneChange } from './protected-files.js';

/** Files that get a warning of their own. The others are counted. */
const MOST_NAMED = 20;

/** Warns about changes of protected files. */
export function describeUndone(
  changes: readonly UndoneChange[],
  tools: readonly string[],
  workingDir: string,
): StepWarning[] {
  const writer = tools.join(' and ');
  const named = changes.slice(0, MOST_NAMED).map(({ path, isRestored }): StepWarning => {
    const name = toSlashes(relative(workingDir, path));
    const message = isRestored
      ? `${name} is protected: the change by ${writer} was undone.`
      : `${name} is protected, but the change by ${writer} cannot be undone: the old content was not kept.`;
    return { code: 'PROTECTED_PATH', message };
  });
  const rest = changes.length - named.length;
  if (rest === 0) return named;
  const message = `Further protected files whose change was undone: ${rest}.`;
  return [...named, { code: 'PROTECTED_PATH', message, count: rest }];
}

/** Warns about files that the agent obeys and that an earlier step has changed. */
export function describeChangedEarlier(
  files: ProtectedFiles['changedEarlier'],
  workingDir: string,
): StepWarning[] {
  return files.map(({ path, generationId, isAssumed }) => {
    const name = toSlashes(relative(workingDir, path));
    const writer = isAssumed
      ? `an earlier step that did not end (${generationId}), or another program since then,`
      : `an earlier step (${generationId})`;
    const message = `The agent obeys ${name} at its start, and ${writer} has changed the file.`;
    return { code: 'PROTECTED_PATH_CHANGED', message };
  });
}
