import { expect, it } from 'vitest';
import type { AttemptReport } from '../../../../../src/api/step-report.js';
import { measureSteps } from '../../../../../src/batch/report/page/model/step-metrics.js';
import { USAGE } from '../../../../engines/ai-sdk/fake-steps.js';

const attempt: AttemptReport = {
  number: 1,
  lane: 0,
  startedAt: '2026-11-18T10:00:00.000Z',
  outcome: 'succeeded',
  repairs: 0,
};
const ran = (durationMs: number, waitMs = 0) => {
  return { attempts: [attempt], durationMs, waitMs, usage: USAGE };
};

it('measures steps that ran, and leaves out the others', () => {
  const steps = Array.from({ length: 100 }, (_, index) => ran((index + 1) * 10));
  const skipped = { attempts: [], durationMs: 0, waitMs: 0 };
  expect(measureSteps([...steps, skipped].reverse())).toEqual({
    work: { medianMs: 500, p95Ms: 950, longestMs: 1000 },
    wait: undefined,
    tokensPerStep: USAGE.total,
  });
  expect(measureSteps([skipped])).toBeUndefined();
});

it('measures the wait if a step waited', () => {
  expect(measureSteps([ran(10), ran(10, 40), ran(10, 20)])?.wait).toEqual({
    medianMs: 20,
    p95Ms: 40,
    longestMs: 40,
  });
});
