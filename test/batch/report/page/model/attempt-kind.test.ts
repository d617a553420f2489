import { describe, expect, it } from 'vitest';
import type { StepReport, StepState } from '../../../../../src/api/step-report.js';
import {
  ATTEMPT_KINDS,
  describeOutcome,
  hasDuration,
  isInterrupted,
} from '../../../../../src/batch/report/page/model/attempt-kind.js';
import { anAttempt, aStep } from '../../report-builder.js';

describe('the outcome of an attempt', () => {
  it('is described for each kind', () => {
    const failed = anAttempt(0, 1, { outcome: 'NETWORK' });
    expect(ATTEMPT_KINDS.map((kind) => describeOutcome(kind, failed))).toEqual([
      'succeeded',
      'NETWORK, retried',
      'failed: NETWORK',
      'cancelled',
      'interrupted',
      'running',
    ]);
  });
});

it('a step is interrupted if a kill has cut off its last attempt, and has a duration if one attempt has an end', () => {
  const cut = { ...anAttempt(5, 6), outcome: 'interrupted' } as const;
  const facts = (state: StepState, attempts: StepReport['attempts'], durationMs = 0) => {
    const step = aStep('a', { state, attempts, durationMs });
    return [isInterrupted(step), hasDuration(step)];
  };
  expect(facts('pending', [])).toEqual([false, false]);
  expect(facts('pending', [cut])).toEqual([true, false]);
  expect(facts('pending', [anAttempt(0, 1), cut], 1000)).toEqual([true, true]);
  expect(facts('succeeded', [cut, anAttempt(0, 1)])).toEqual([false, true]);
});
