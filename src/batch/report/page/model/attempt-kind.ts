import type { AttemptReport, StepReport } from '../../../../api/batch-report.js';

/** How an attempt is drawn. `retried`: it failed, and another one came after it. */
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

/** What a person reads beside it. */
export function describeOutcome(kind: AttemptKind, attempt: AttemptReport): string {
  switch (kind) {
    case 'succeeded':
    case 'interrupted':
    case 'cancelled':
      return kind;
    case 'retried':
      return `${attempt.outcome}, tried again`;
    case 'failed':
      return `failed: ${attempt.outcome}`;
  }
}
