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
    waitedMs >= LEAST_TOLD_MS ? `waited ${formatDuration(waitedMs)} for a slot` : '',
    mergeMs >= LEAST_TOLD_MS ? `merged after ${formatDuration(mergeMs)}` : '',
  ].filter(Boolean);
}
