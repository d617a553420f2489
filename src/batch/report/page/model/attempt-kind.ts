import type { AttemptReport, StepReport } from '../../../../api/step-report.js';

/** Kind of an attempt in the timeline. `retried`: the attempt failed and another one followed. */
export type AttemptKind = 'succeeded' | 'retried' | 'failed' | 'cancelled' | 'interrupted';

export const ATTEMPT_KINDS: readonly AttemptKind[] = [
  'succeeded',
  'retried',
  'failed',
  'cancelled',
  'interrupted',
];

export function kindOfAttempt(attempt: AttemptReport, step: StepReport): AttemptKind {
  if (attempt.outcome === 'succeeded' || attempt.outcome === 'interrupted') return attempt.outcome;
  if (attempt.outcome === 'CANCELLED') return 'cancelled';
  return step.attempts.at(-1) === attempt ? 'failed' : 'retried';
}

/** Returns the outcome of an attempt as text. */
export function describeOutcome(kind: AttemptKind, attempt: AttemptReport): string {
  switch (kind) {
    case 'succeeded':
    case 'interrupted':
    case 'cancelled':
      return kind;
    case 'retried':
      return `${attempt.outcome}, retried`;
    case 'failed':
      return `failed: ${attempt.outcome}`;
  }
}
