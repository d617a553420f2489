import type { BatchOptions } from '../../api/batch-options.js';
import type { ExpandedPlan } from '../../api/batch-plan.js';
import { findCommonFolder, realpathOf } from '../../base/fs/paths.js';
import type { PlanFacts } from './batch-progress.js';
import { quoteWord } from './resume-command.js';

/** Collects the facts of a plan that the view of a batch shows and that events do not carry. */
export function collectFacts({ steps, limits }: ExpandedPlan, options: BatchOptions): PlanFacts {
  const retries = new Map(steps.map((step) => [step.id, step.retries]));
  return {
    folders: nameFolders(steps.map(({ config }) => String(config['workingDir']))),
    statusCommand: describeStatusCommand(options),
    concurrency: options.concurrency ?? limits.concurrency,
    retriesOf: (id) => retries.get(id),
  };
}

/** Returns the names of the common folder of all steps. Agents report real paths, also if the user names a folder by a link. */
export function nameFolders(workingDirs: readonly string[]): readonly string[] {
  if (workingDirs.length === 0) return [];
  const folder = findCommonFolder(new Set(workingDirs));
  return [folder, realpathOf(folder)];
}

function describeStatusCommand({ out, state }: BatchOptions): string | undefined {
  if (out === undefined) return undefined;
  const words = [out, ...(state === undefined ? [] : ['--state', state])];
  return `gemini-cli-provider batch status ${words.map(quoteWord).join(' ')}`;
}
