import type { AttemptReport, StepReport } from '../../../../api/batch-report.js';
import { type AttemptKind, kindOfAttempt } from './attempt-kind.js';

/** One attempt, with times that can be counted with. */
export interface TimelineItem {
  readonly step: StepReport;
  readonly attempt: AttemptReport;
  readonly kind: AttemptKind;
  readonly lane: number;
  readonly startMs: number;
  /** Absent where the batch died in the middle of it. */
  readonly endMs?: number | undefined;
}

/** All attempts in the order in which they began. One without a readable beginning has no place in time. */
export function collectItems(steps: readonly StepReport[]): readonly TimelineItem[] {
  return steps
    .flatMap((step) =>
      step.attempts.flatMap((attempt): TimelineItem[] => {
        const startMs = Date.parse(attempt.startedAt);
        if (Number.isNaN(startMs)) return [];
        const ended = attempt.endedAt === undefined ? Number.NaN : Date.parse(attempt.endedAt);
        // A clock that was set back must not give a bar of negative width.
        const endMs = Number.isNaN(ended) ? undefined : Math.max(startMs, ended);
        const kind = kindOfAttempt(attempt, step);
        return [{ step, attempt, kind, lane: attempt.lane, startMs, endMs }];
      }),
    )
    .sort((one, other) => one.startMs - other.startMs);
}
