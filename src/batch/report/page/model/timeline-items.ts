import type { AttemptReport, StepReport } from '../../../../api/step-report.js';
import { type AttemptKind, kindOfAttempt } from './attempt-kind.js';

/** Attempt with its times in milliseconds. */
export interface TimelineItem {
  readonly step: StepReport;
  readonly attempt: AttemptReport;
  readonly kind: AttemptKind;
  readonly lane: number;
  readonly startMs: number;
  /** Undefined if the batch died during the attempt. */
  readonly endMs?: number | undefined;
}

/** Returns all attempts by start time. Attempts without a readable start time are left out. */
export function collectItems(steps: readonly StepReport[]): readonly TimelineItem[] {
  return steps
    .flatMap((step) =>
      step.attempts.flatMap((attempt): TimelineItem[] => {
        const startMs = Date.parse(attempt.startedAt);
        if (Number.isNaN(startMs)) return [];
        const ended = attempt.endedAt === undefined ? Number.NaN : Date.parse(attempt.endedAt);
        // The end lies before the start if the system clock was set back: a bar must not have a negative width.
        const endMs = Number.isNaN(ended) ? undefined : Math.max(startMs, ended);
        const kind = kindOfAttempt(attempt, step);
        return [{ step, attempt, kind, lane: attempt.lane, startMs, endMs }];
      }),
    )
    .sort((one, other) => one.startMs - other.startMs);
}
