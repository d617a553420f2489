import { basename, dirname, resolve } from 'node:path';
import type { ExpandedPlan } from '../../api/batch-plan.js';
import { invalidInput, readInput } from '../../base/errors/invalid-input.js';
import { valueAt } from '../../base/json/value-at.js';
import { assertReachable } from '../../step/reachable-folders.js';
import type { EarlierFiles } from './earlier-files.js';
import { expandSource, type OuterDefaults } from './expand-plan.js';
import { createProblemList } from './problem-list.js';
import { readSource } from './read-source.js';

export interface ReadPlanOptions {
  /** Folder that paths in the plan are relative to. Default: the folder of the plan file. */
  readonly baseDir?: string | undefined;
  /** Reads the file changes of earlier runs. Called only if `for` has a glob. */
  readonly readEarlier?: (() => Promise<EarlierFiles>) | undefined;
  /**
   * Ends the wait for a file system that does not answer, with CANCELLED.
   *
   * @defaultValue none
   */
  readonly signal?: AbortSignal | undefined;
  /** @internal Text of the plan, if `file` is only its name: a plan on stdin. */
  readonly text?: string | undefined;
  /** @internal Longest wait for a file system that does not answer. */
  readonly limitMs?: number | undefined;
  /** @internal Settings of steps that neither the step nor `defaults` of the plan sets. */
  readonly outerDefaults?: OuterDefaults | undefined;
}

/** Reads and expands a plan file (YAML, JSON, JSON lines). `expandPlan` does the same for a plan from code. */
export async function readPlan(file: string, options: ReadPlanOptions = {}): Promise<ExpandedPlan> {
  if (typeof file !== 'string') throw invalidInput('plan', 'the path of a plan file', file);
  const {
    baseDir = dirname(file),
    readEarlier,
    outerDefaults,
    text,
    ...limits
  } = readInput('options', () => checkOptions(options));
  if (text === undefined) await assertReachable([file], limits);
  const source = readSource(file, text);
  const problems = createProblemList(source);
  for (const { path, problem, line } of source.faults) {
    problems.add(path, valueAt(source.content, path), problem, line);
  }
  const name = basename(file);
  const settings = { baseDir: resolve(baseDir), name, readEarlier, outerDefaults, ...limits };
  return expandSource(source, problems, settings);
}

function checkOptions(options: ReadPlanOptions): ReadPlanOptions {
  if (typeof options !== 'object' || options === null) {
    throw invalidInput('options', 'an object', options);
  }
  const { baseDir, readEarlier, signal, limitMs, text } = options;
  if (baseDir !== undefined && typeof baseDir !== 'string') {
    throw invalidInput('baseDir', 'the path of a folder', baseDir);
  }
  if (readEarlier !== undefined && typeof readEarlier !== 'function') {
    throw invalidInput('readEarlier', 'a function', readEarlier);
  }
  if (signal !== undefined && !(signal instanceof AbortSignal)) {
    throw invalidInput('signal', 'an AbortSignal', signal);
  }
  if (text !== undefined && typeof text !== 'string') throw invalidInput('text', 'a text', text);
  const { outerDefaults } = options;
  return { baseDir, readEarlier, signal, limitMs, text, outerDefaults };
}
