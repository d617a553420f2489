import { expect, it } from 'vitest';
import type { BatchEvent } from '../../../src/api/batch-event.js';
import { describeHeartbeat } from '../../../src/cli/batch/batch-heartbeat.js';
import { BatchProgress } from '../../../src/cli/batch/batch-progress.js';

function fold(events: readonly BatchEvent[]): BatchProgress {
  const progress = new BatchProgress(0);
  for (const event of events) progress.accept(event, 0);
  return progress;
}
const started = (stepId: string, lane = 0): BatchEvent => {
  return { type: 'step-started', stepId, attempt: 1, lane };
};

it('describeHeartbeat names the steps at work, their action and time, and what others wait for', () => {
  const retry = { attempt: 1, code: 'RATE_LIMITED', message: 'm', delayMs: 90_000 } as const;
  const progress = fold([
    ...['a', 'b', 'c'].map((id) => started(id)),
    { type: 'step-waiting', stepId: 'b', waitsFor: 'merge', behind: 'a' },
    { type: 'step-retry', stepId: 'c', ...retry },
    { type: 'paused', cause: 'rate-limit', untilMs: 90_000 },
  ]);
  expect(describeHeartbeat(progress, 60_000)).toBe(
    '… at work: a (starting, 1 min 0 s) · 1 finished, waiting to be merged behind a · ↻ c rate limited, attempt 2 in 30 s · rate limited, no step starts for 30 s',
  );
});

it('describeHeartbeat names eight steps and counts the others', () => {
  const steps = Array.from({ length: 11 }, (_, n) => started(`s${n}`, n));
  expect(describeHeartbeat(fold(steps), 0)).toMatch(/^… at work: s0 .* s7 \(.*\) and 3 more$/);
});

it('describeHeartbeat has nothing to tell if nothing runs', () => {
  expect(describeHeartbeat(new BatchProgress(0), 0)).toBe(undefined);
});
