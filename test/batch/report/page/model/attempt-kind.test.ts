import { describe, expect, it } from 'vitest';
import {
  ATTEMPT_KINDS,
  describeOutcome,
} from '../../../../../src/batch/report/page/model/attempt-kind.js';
import { anAttempt } from '../../report-builder.js';

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
