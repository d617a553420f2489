import type { StepReport } from '../../api/step-report.js';
import { cleanName } from '../../base/text/clean-text.js';

/** Most workers that a line names. */
const MOST_WORKERS = 8;

/** Attempts of a batch on one worker. */
export interface WorkerCounts {
  readonly worker: string;
  readonly host: string;
  readonly attempts: number;
  /** Attempts that were lost with the worker. */
  readonly lost: number;
}

/** Counts the attempts of each worker, in the order of the names. */
export function countWorkers(steps: readonly StepReport[]): readonly WorkerCounts[] {
  const counts = new Map<string, WorkerCounts>();
  const add = (worker: string, host: string, attempts: number, lost: number): void => {
    const key = JSON.stringify([worker, host]);
    const known = counts.get(key) ?? { attempts: 0, lost: 0 };
    counts.set(key, {
      worker,
      host,
      attempts: known.attempts + attempts,
      lost: known.lost + lost,
    });
  };
  for (const { job } of steps.flatMap(({ attempts }) => attempts)) {
    if (job === undefined) continue;
    add(job.worker, job.host, 1, 0);
    for (const { worker, host } of job.lost) add(worker, host, 0, 1);
  }
  return [...counts.values()].sort((one, other) => {
    return one.worker.localeCompare(other.worker, 'en', { numeric: true });
  });
}

/** Describes the workers on one line: `Workers: a (12 steps), b (3 steps, 1 lost)`. */
export function describeWorkers(workers: readonly WorkerCounts[]): string {
  const named = workers.slice(0, MOST_WORKERS).map(({ worker, attempts, lost }) => {
    const facts = [`${attempts}`, ...(lost === 0 ? [] : [`${lost} lost`])];
    return `${cleanName(worker)} (${facts.join(', ')})`;
  });
  const more = workers.length - named.length;
  return `Attempts by worker: ${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
