import { expect, it, onTestFinished, vi } from 'vitest';
import { LockWatch } from '../../../src/queue/worker/lock-watch.js';
import { MemoryWorker } from '../memory-store.js';

function openWatch() {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const lost: string[] = [];
  const watch = new LockWatch(3_000, (id) => lost.push(id));
  onTestFinished(() => watch.stop());
  const worker = new MemoryWorker('q');
  watch.follow(worker);
  return { lost, watch, worker };
}

it('reports a job whose lock was not renewed in time, and none that has ended', () => {
  const { lost, watch, worker } = openWatch();
  watch.begin('a');
  watch.begin('b');
  watch.begin('ended');
  watch.end('ended');
  vi.advanceTimersByTime(2_500);
  worker.events.emit('locksRenewed', { jobIds: ['a', 'unknown'] });
  vi.advanceTimersByTime(2_000);
  expect(new Set(lost)).toEqual(new Set(['b']));
});

it('reports a job whose renewal the store has refused', () => {
  const { lost, watch, worker } = openWatch();
  watch.begin('a');
  worker.events.emit('lockRenewalFailed', ['a']);
  expect(lost).toEqual(['a']);
});

it('does not take the clock of the system for the time: it may be set while a step runs', () => {
  const { lost, watch } = openWatch();
  watch.begin('a');
  vi.setSystemTime(Date.now() + 3_600_000);
  vi.advanceTimersByTime(1_000);
  expect(lost).toEqual([]);
});
