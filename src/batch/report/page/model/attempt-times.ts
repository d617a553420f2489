import type { JobReport } from '../../../../api/job-report.js';
import type { AttemptReport } from '../../../../api/step-report.js';
import { formatDuration } from '../../../../web/model/format.js';
import type { AttemptKind } from './attempt-kind.js';

/** Returns the time that the agent worked. Undefined if the attempt is not over, or its end is not known. */
export function workTimeOf({
  startedAt,
  endedAt,
  waitedMs = 0,
}: AttemptReport): number | undefined {
  if (endedAt === undefined) return undefined;
  return Math.max(0, Date.parse(endedAt) - Date.parse(startedAt) - waitedMs);
}

/** Returns the time from the end of the work to the end of the merge. */
export function mergeTimeOf({ endedAt, mergedAt }: AttemptReport): number {
  if (endedAt === undefined || mergedAt === undefined) return 0;
  return Math.max(0, Date.parse(mergedAt) - Date.parse(endedAt));
}

/** Waits below this time are not worth a word. */
const LEAST_TOLD_MS = 50;

/** Describes the times of an attempt: work first, then each wait. */
export function describeTimes(attempt: AttemptReport, kind: AttemptKind): readonly string[] {
  const workMs = workTimeOf(attempt);
  const { waitedMs = 0 } = attempt;
  const mergeMs = mergeTimeOf(attempt);
  const unknown = kind === 'running' ? 'still running' : 'end unknown';
  return [
    workMs === undefined ? unknown : formatDuration(workMs),
    waitedMs >= LEAST_TOLD_MS ? `waited ${formatDuration(waitedMs)} ${describeWait(attempt)}` : '',
    mergeMs >= LEAST_TOLD_MS ? `merged after ${formatDuration(mergeMs)}` : '',
  ].filter(Boolean);
}

function describeWait({ job }: AttemptReport): string {
  return job === undefined ? 'for a slot' : 'in the queue';
}

/** Describes the worker of an attempt with its host. */
export function describeWorker({ worker, host }: Pick<JobReport, 'worker' | 'host'>): string {
  return worker.includes(host) ? worker : `${worker} (${host})`;
}

/** Describes the workers that were lost while they had the attempt. */
export function describeLost(job: JobReport | undefined): readonly string[] {
  if (job === undefined || job.lost.length === 0) return [];
  return [`lost on the way: ${job.lost.map(describeWorker).join(', ')}`];
}
