import { expect, it } from 'vitest';
import { describeTimes } from '../../../../../src/batch/report/page/model/attempt-times.js';
import { anAttempt, at } from '../../report-builder.js';

it('tells the work of an attempt from its waits', () => {
  const attempt = anAttempt(0, 12, { waitedMs: 4_000, mergedAt: at(20) });
  expect(describeTimes(attempt, 'succeeded')).toEqual([
    '8.0 s',
    'waited 4.0 s for a slot',
    'merged after 8.0 s',
  ]);
  expect(describeTimes(anAttempt(0, 3, { waitedMs: 10, mergedAt: at(3) }), 'succeeded')).toEqual([
    '3.0 s',
  ]);
});

it('names an attempt without an end', () => {
  const attempt = anAttempt(0, undefined);
  expect(describeTimes(attempt, 'running')).toEqual(['still running']);
  expect(describeTimes(attempt, 'interrupted')).toEqual(['end unknown']);
});
