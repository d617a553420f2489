import type { AttemptReport, StepReport } from '../../../../api/step-report.js';

/** Kind of an attempt in the timeline. `retried`: the attempt failed and another one followed. */
export type AttemptKind =
  | 'succeeded'
  | 'retried'
  | 'failed'
  | 'cancelled'
  | 'interrupted'
  | 'running';

export const ATTEMPT_KINDS: readonly AttemptKind[] = [
  'succeeded',
  'retried',
  'failed',
  'cancelled',
  'interrupted',
  'running',
];

export function kindOfAttempt(attempt: AttemptReport, step: StepReport): AttemptKind {
  const { outcome } = attempt;
  if (outcome === 'succeeded' || outcome === 'interrupted' || outcome === 'running') return outcome;
  if (attempt.outcome === 'CANCELLED') return 'cancelled';
  return step.attempts.at(-1) === attempt ? 'failed' : 'retried';
}

/** Returns the outcome of an attempt as text. */
export function describeOutcome(kind: AttemptKind, attempt: AttemptReport): string {
  switch (kind) {
    case 'succeeded':
    case 'interrupted':
    case 'cancelled':
    case 'running':
      return kind;
    case 'retried':
      return `${attempt.outcome}, retried`;
    case 'failed':
      return `failed: ${attempt.outcome}`;
  }
}

/** True if a kill has cut off the last attempt of the step, which will begin again. */
export function isInterrupted({ state, attempts }: StepReport): boolean {
  return state === 'pending' && attempts.at(-1)?.outcome === 'interrupted';
}

/** True if the time of the step is known: an attempt that was cut off has no end. */
export function hasDuration(step: StepReport): boolean {
  return step.attempts.length > 0 && !(isInterrupted(step) && step.durationMs === 0);
}
