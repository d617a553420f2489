import type { AttemptReport, StepReport } from '../../../../api/step-report.js';
import { type AttemptKind, kindOfAttempt } from './attempt-kind.js';
import type { Span } from './folded-time.js';

/** Attempt with its times in milliseconds. */
export interface TimelineItem {
  readonly step: StepReport;
  readonly attempt: AttemptReport;
  readonly kind: AttemptKind;
  readonly lane: number;
  /** Start of the attempt: from here on the attempt has its lane. */
  readonly startMs: number;
  /** Start of the agent's work. Until then the attempt waits for a slot. */
  readonly workMs: number;
  /** End of the agent's work. Undefined if the attempt is running, or the batch died during the attempt. */
  readonly endMs?: number | undefined;
  /** End of the merge. Undefined if nothing is merged, or the merge is not over. */
  readonly mergedMs?: number | undefined;
}

/** Attempt with an end, which is estimated if the report has none. */
export interface TimedItem extends TimelineItem {
  readonly endMs: number;
  readonly isEndKnown: boolean;
  /** Time from the end of the work to the end of the merge, or until now. Undefined if there is none. */
  readonly merge?: Span | undefined;
}

/** Returns all attempts by start time. Attempts without a readable start time are left out. */
export function collectItems(steps: readonly StepReport[]): readonly TimelineItem[] {
  return steps
    .flatMap((step) =>
      step.attempts.flatMap((attempt): TimelineItem[] => {
        const startMs = Date.parse(attempt.startedAt);
        if (Number.isNaN(startMs)) return [];
        // The end lies before the start if the system clock was set back: a bar must not have a negative width.
        const endMs = parseAfter(attempt.endedAt, startMs);
        const mergedMs = parseAfter(attempt.mergedAt, endMs ?? startMs);
        const waitedMs = startMs + Math.max(0, attempt.waitedMs ?? 0);
        const workMs = Math.min(waitedMs, endMs ?? waitedMs);
        const kind = kindOfAttempt(attempt, step);
        return [{ step, attempt, kind, lane: attempt.lane, startMs, workMs, endMs, mergedMs }];
      }),
    )
    .sort((one, other) => one.startMs - other.startMs);
}

/** Parses a time; not earlier than `leastMs`. Undefined if the time is absent or not readable. */
function parseAfter(iso: string | undefined, leastMs: number): number | undefined {
  const instant = iso === undefined ? Number.NaN : Date.parse(iso);
  return Number.isNaN(instant) ? undefined : Math.max(leastMs, instant);
}
