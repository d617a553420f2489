import { expect, it, onTestFinished, vi } from 'vitest';
import { RunningJobs } from '../../../src/queue/worker/running-jobs.js';
import { openMemoryStore } from '../memory-store.js';

const CANCELLED = { text: '', cancelled: { reason: 'by hand' } };

async function openJobs() {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const memory = await openMemoryStore();
  return { memory, jobs: new RunningJobs(memory.store) };
}

it('an event of a cancel is a hint: the job itself says why it was cancelled', async () => {
  const { memory, jobs } = await openJobs();
  const job = memory.queue().put('j', { data: { text: '' } });
  const { signal, end } = jobs.add('j', 'q');
  memory.emit('cancel', { id: 'j' }, 'q++control');
  await vi.advanceTimersByTimeAsync(0);
  expect(signal.aborted).toBe(false);
  job.data = CANCELLED;
  memory.emit('cancel', { id: 'other' }, 'q++control');
  memory.emit('cancel', 7, 'q++control');
  memory.emit('cancel', { id: 'j' }, 'q++control');
  await vi.advanceTimersByTimeAsync(0);
  expect(signal.reason).toEqual({ kind: 'cancelled', reason: 'by hand' });
  end();
});

it('a cancel whose event is lost is found within a second', async () => {
  const { memory, jobs } = await openJobs();
  memory.queue().put('j', { data: CANCELLED });
  const { signal, end } = jobs.add('j', 'q');
  await vi.advanceTimersByTimeAsync(1_000);
  expect(signal.aborted).toBe(true);
  end();
  expect(vi.getTimerCount()).toBe(0);
});

it('counts jobs by queue, and ends one or all of them', async () => {
  const { jobs } = await openJobs();
  const [one, two] = [jobs.add('1', 'q'), jobs.add('2', 'q+gpu')];
  expect([jobs.size, jobs.countOf('q'), jobs.countOf('q+gpu')]).toEqual([2, 1, 1]);
  jobs.end('1', { kind: 'lost', why: 'the job was taken' });
  jobs.endAll({ kind: 'returned' });
  expect([one.signal.reason, two.signal.reason]).toEqual([
    { kind: 'lost', why: 'the job was taken' },
    { kind: 'returned' },
  ]);
  one.end();
  two.end();
  expect(jobs.size).toBe(0);
});
