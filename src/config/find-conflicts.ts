import type { ConfigProblem } from '../api/error.js';
import { toProblem } from './config-problem.js';

/** Options that would have no effect on a headless step. `pool` and `permissionTimeout` are allowed there. */
const ACP_ONLY = ['mcpServers', 'onPermission', 'unattended', 'clientFiles', 'clientTerminals'];
/** Options that have no effect on a headless step, but may be meant for steps that override `transport`. */
const ACP_TUNING = ['pool', 'permissionTimeout'];
const MEANS_NOTHING: ReadonlySet<unknown> = new Set([false, 'reject']);

/** Finds options that contradict each other, or that would have no effect. */
export function findConflicts(values: Readonly<Record<string, unknown>>): ConfigProblem[] {
  const problems: ConfigProblem[] = [];
  const add = (key: string, problem: string): void => {
    if (values[key] !== undefined) problems.push(toProblem([key], values[key], problem));
  };
  if (values['resume'] !== undefined) {
    add('sessionId', 'cannot be combined with resume: a resumed session keeps its id');
  }
  if (values['transport'] === 'acp') {
    add('sessionId', 'cannot be chosen with transport "acp": the agent chooses it');
    if (values['expandAt'] === true) {
      add('expandAt', 'needs transport "headless": over ACP the CLI takes @path as it is written');
    }
  } else {
    for (const key of ACP_ONLY) {
      if (!MEANS_NOTHING.has(values[key])) add(key, 'needs transport "acp"');
    }
    if (values['strict'] === true) {
      for (const key of ACP_TUNING) add(key, 'has no effect without transport "acp"');
    }
  }
  return problems;
}
