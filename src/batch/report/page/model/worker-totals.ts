import type { LostAttempt } from '../../../../api/job-report.js';
import type { StepReport } from '../../../../api/step-report.js';
import { workTimeOf } from './attempt-times.js';

/** What one worker has done for the batch. */
export interface WorkerTotal {
  readonly worker: string;
  readonly host: string;
  /** Attempts that ended on the worker or run there, and those of them that succeeded. */
  readonly attempts: number;
  readonly succeeded: number;
  /** Time of work and time that the attempts had waited in the queue, in milliseconds. */
  readonly workMs: number;
  readonly queueMs: number;
  /** Steps that the worker had begun when it was lost. */
  readonly lost: readonly LostStep[];
}

/** An attempt of a job that another worker had to begin again. */
export interface LostStep {
  readonly stepId: string;
  readonly attempt: number;
}

/** Sums up the attempts by worker, in the order of the names. Empty for a batch without a queue. */
export function totalWorkers(steps: readonly StepReport[]): readonly WorkerTotal[] {
  const totals = new Map<string, { -readonly [Key in keyof WorkerTotal]: WorkerTotal[Key] }>();
  const totalOf = ({ worker, host }: Pick<LostAttempt, 'worker' | 'host'>) => {
    const key = JSON.stringify([worker, host]);
    const known = totals.get(key);
    if (known !== undefined) return known;
    const none = { worker, host, attempts: 0, succeeded: 0, workMs: 0, queueMs: 0, lost: [] };
    totals.set(key, none);
    return none;
  };
  for (const { id: stepId, attempts } of steps) {
    for (const attempt of attempts) {
      const { job, outcome, waitedMs = 0 } = attempt;
      if (job === undefined) continue;
      const total = totalOf(job);
      total.attempts++;
      if (outcome === 'succeeded') total.succeeded++;
      total.workMs += workTimeOf(attempt) ?? 0;
      total.queueMs += waitedMs;
      for (const one of job.lost) {
        const before = totalOf(one);
        before.lost = [...before.lost, { stepId, attempt: one.attempt }];
      }
    }
  }
  return [...totals.entries()]
    .sort(([one], [other]) => one.localeCompare(other, 'en', { numeric: true }))
    .map(([, total]) => total);
}
