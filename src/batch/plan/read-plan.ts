import { basename, dirname, resolve } from 'node:path';
import type { ExpandedPlan } from '../../api/batch-plan.js';
import type { EarlierFiles } from './earlier-files.js';
import { expandSource } from './expand-plan.js';
import { valueAt } from './plan-source.js';
import { createProblemList } from './problem-list.js';
import { readSource } from './read-source.js';

export interface ReadPlanOptions {
  /** Paths in the plan are relative to it. Default: the folder of the plan's file. */
  readonly baseDir?: string | undefined;
  /** What earlier runs of the batch have done to files; asked for where `for` has a glob. */
  readonly readEarlier?: (() => Promise<EarlierFiles>) | undefined;
}

/** Reads a plan's file (YAML, JSON, JSON lines) as `expandPlan` takes one from code. */
export async function readPlan(
  file: string,
  { baseDir = dirname(file), readEarlier }: ReadPlanOptions = {},
): Promise<ExpandedPlan> {
  const source = readSource(file);
  const problems = createProblemList(source);
  for (const { path, problem, line } of source.faults) {
    problems.add(path, valueAt(source.content, path), problem, line);
  }
  const settings = { baseDir: resolve(baseDir), name: basename(file), readEarlier };
  return expandSource(source, problems, settings);
}
