import { expect, it, onTestFinished, vi } from 'vitest';
import type { AgentEvent } from '../../../src/api/agent-event.js';
import type { BatchEvent } from '../../../src/api/batch-event.js';
import type { LostAttempt } from '../../../src/api/job-report.js';
import type { NewLedgerEntry } from '../../../src/batch/ledger/ledger-entry.js';
import { AttemptWatch } from '../../../src/batch/run/attempt-watch.js';

const waiting: AgentEvent = { type: 'session-status', status: 'waiting', message: 'w' };
const queued: AgentEvent = { ...waiting, waitsFor: 'queue' };
const init: AgentEvent = { type: 'session-init', sessionId: 's' };

function assigned(
  worker: string,
  attempt: number,
  waitMs: number,
  lost: readonly LostAttempt[] = [],
): AgentEvent {
  return { type: 'worker-assigned', jobId: 'j', worker, host: 'h', attempt, waitMs, lost };
}

function openWatch() {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const events: BatchEvent[] = [];
  const lines: NewLedgerEntry[] = [];
  const watch = new AttemptWatch({
    step: 'a',
    attempt: 2,
    state: { write: async (entry) => void lines.push(entry) },
    emit: (event) => events.push(event),
  });
  return { watch, events, lines };
}

it('AttemptWatch passes events on, reports a wait for a slot, and measures it up to the next event', () => {
  const { watch, events, lines } = openWatch();
  watch.accept(init);
  vi.advanceTimersByTime(500);
  expect(watch.waitedMs).toBe(undefined);
  watch.accept(waiting);
  vi.advanceTimersByTime(3000);
  expect(watch.waitedMs).toBe(3000);
  watch.accept(init);
  vi.advanceTimersByTime(9000);
  watch.accept(waiting);
  vi.advanceTimersByTime(10);
  expect(watch.waitedMs).toBe(3010);
  const progress = (event: AgentEvent) => ({ type: 'step-progress', stepId: 'a', event });
  const wait = { type: 'step-waiting', stepId: 'a', waitsFor: 'slot' };
  expect(events).toEqual([
    progress(init),
    progress(waiting),
    wait,
    progress(init),
    progress(waiting),
    wait,
  ]);
  expect(lines).toEqual([]);
});

it('the wait in the queue ends when the worker begins, not when its event arrives', () => {
  const { watch, events } = openWatch();
  watch.accept(queued);
  expect(events.at(-1)).toEqual({ type: 'step-waiting', stepId: 'a', waitsFor: 'queue' });
  vi.advanceTimersByTime(5000);
  expect(watch.waitedMs).toBe(5000);
  watch.accept(assigned('w1', 1, 4200));
  vi.advanceTimersByTime(60_000);
  expect(watch.waitedMs).toBe(4200);
});

it('the wait of a job that an earlier run has put on the queue counts from the start of the attempt', () => {
  const { watch } = openWatch();
  vi.advanceTimersByTime(1000);
  watch.accept(assigned('w1', 1, 3_600_000));
  expect(watch.waitedMs).toBe(1000);
});

it('a wait for a slot on the worker is added to the wait in the queue', () => {
  const { watch } = openWatch();
  vi.advanceTimersByTime(2000);
  watch.accept(assigned('w1', 1, 2000));
  watch.accept(waiting);
  vi.advanceTimersByTime(500);
  watch.accept(init);
  expect(watch.waitedMs).toBe(2500);
});

it('the ledger gets each worker, and the lost ones that the queue names', () => {
  const { watch, lines } = openWatch();
  vi.advanceTimersByTime(100);
  const lost = [{ attempt: 1, worker: 'w1', host: 'h' }];
  watch.accept(assigned('w1', 1, 50));
  vi.advanceTimersByTime(20_000);
  watch.accept(assigned('w2', 2, 50, lost));
  vi.advanceTimersByTime(20_000);
  // The second worker has given the step back: it is not lost.
  watch.accept(assigned('w3', 3, 50, lost));
  expect(watch.job).toEqual({ jobId: 'j', worker: 'w3', host: 'h', attempt: 3, waitMs: 50, lost });
  expect(watch.waitedMs).toBe(50);
  expect(lines).toMatchObject([
    { type: 'worker', step: 'a', attempt: 2, job: { worker: 'w1', lost: [] } },
    { type: 'worker', step: 'a', attempt: 2, job: { worker: 'w2' } },
    { type: 'worker', step: 'a', attempt: 2, job: { worker: 'w3', lost } },
  ]);
});

it('the first generation id of the attempt is written to the ledger once', () => {
  const { watch, lines } = openWatch();
  watch.accept({ ...init, generationId: 'g1' });
  watch.accept({ ...init, generationId: 'g2' });
  expect(watch.generationId).toBe('g1');
  expect(lines).toEqual([{ type: 'generation', step: 'a', attempt: 2, generationId: 'g1' }]);
});
