import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { packEvents } from '../../../src/queue/protocol/event-batch.js';
import { beginAttempt } from '../../../src/queue/protocol/job-progress.js';
import { type JobEnd, JobWatch } from '../../../src/queue/provider/job-watch.js';
import { openMemoryStore } from '../memory-store.js';
import { OTHER_SECRET, SIGNED } from '../protocol/support.js';

const PROGRESS = beginAttempt(undefined, {
  worker: 'w',
  host: 'h',
  startedAtMs: 9,
  createdAtMs: 1,
});

async function openWatch(kind: 'postgres' | 'redis' = 'redis') {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const memory = await openMemoryStore(true, kind);
  const watch = new JobWatch(memory.store, SIGNED, 1_000);
  onTestFinished(() => watch.close());
  const follow = (id: string) => {
    const seen: { readonly batches: unknown[]; readonly ends: JobEnd[]; states: string } = {
      batches: [],
      ends: [],
      states: '',
    };
    const stop = watch.follow(id, 'q', {
      events: (batch) => seen.batches.push(batch),
      assigned: () => (seen.states += 'a'),
      waiting: () => (seen.states += 'w'),
      ended: (end) => seen.ends.push(end),
      paused: () => {},
    });
    return { seen, stop };
  };
  await watch.listen('q');
  return { memory, watch, follow };
}

describe('JobWatch', () => {
  it('finds the state of a job by its timer alone: all events may be lost', async () => {
    const { memory, follow } = await openWatch();
    const job = memory.queue().put('j');
    const { seen } = follow('j');
    await vi.advanceTimersByTimeAsync(1_000);
    job.progress = PROGRESS;
    await vi.advanceTimersByTimeAsync(1_000);
    Object.assign(job, { finishedOn: 5, returnvalue: { text: 'x' } });
    await vi.advanceTimersByTimeAsync(1_000);
    expect(seen).toMatchObject({
      states: 'wa',
      ends: [{ kind: 'completed', value: { text: 'x' } }],
    });
  });

  it('tells a failed job from a removed one', async () => {
    const { memory, watch, follow } = await openWatch();
    memory.queue().put('failed', { finishedOn: 5, failedReason: 'why' });
    const [failed, gone] = [follow('failed'), follow('gone')];
    await watch.look('failed');
    await watch.look('gone');
    await watch.look('nobody follows');
    expect(failed.seen.ends).toEqual([{ kind: 'failed', reason: 'why' }]);
    expect(gone.seen.ends).toEqual([{ kind: 'gone' }]);
  });

  it('hands on events of the store, and drops those with a wrong signature', async () => {
    const { memory, follow } = await openWatch();
    const { seen } = follow('j');
    const batch = { attempt: 1, seq: 0, events: [] };
    memory.emit('agent', packEvents('j', batch, SIGNED));
    memory.emit('agent', packEvents('j', batch, OTHER_SECRET));
    memory.emit('agent', packEvents('other', batch, SIGNED));
    memory.emit('agent', 'no fields');
    memory.emit('progress', { jobId: 'j', data: PROGRESS });
    memory.emit('progress', { jobId: 'j', data: 50 });
    memory.emit('completed', { jobId: 'j', returnvalue: { text: 'x' } });
    expect(seen.batches).toEqual([batch]);
    expect(seen).toMatchObject({ states: 'a', ends: [{ kind: 'completed' }] });
  });

  it('looks at the job when an event has no value', async () => {
    const { memory, follow } = await openWatch();
    memory.queue().put('j', { finishedOn: 1, failedReason: 'because' });
    const { seen } = follow('j');
    memory.emit('completed', { jobId: 'j', returnvalue: 'null' });
    memory.emit('failed', { jobId: 'j' });
    await vi.advanceTimersByTimeAsync(0);
    expect(seen.ends).toEqual([
      { kind: 'failed', reason: 'because' },
      { kind: 'failed', reason: 'because' },
    ]);
  });

  it('looks at fifty of many jobs at each tick in turn, and finds the latest ends in one list', async () => {
    const { memory, follow } = await openWatch();
    const queue = memory.queue();
    for (let index = 0; index < 120; index++) {
      queue.put(`j${index}`);
      follow(`j${index}`);
    }
    queue.put('late', { state: 'completed', finishedOn: 1, returnvalue: { text: 'x' } });
    const late = follow('late');
    await vi.advanceTimersByTimeAsync(1_000);
    expect(late.seen.ends).toHaveLength(1);
    expect(queue.requests.filter((it) => it === 'getRanges')).toHaveLength(1);
    const looks = queue.requests.filter((it) => it.startsWith('getJob'));
    expect(looks).toHaveLength(51);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(new Set(queue.requests.filter((it) => it.startsWith('getJob'))).size).toBe(121);
  });

  it('finds an end on PostgreSQL that no event has told, soon after any other event', async () => {
    const { memory, watch, follow } = await openWatch('postgres');
    const queue = memory.queue();
    queue.put('j', { state: 'completed', finishedOn: 1, returnvalue: { text: 'x' } });
    const { seen, stop } = follow('j');
    for (const jobId of ['a', 'b']) memory.emit('completed', { jobId });
    queue.failure = new Error('away');
    await vi.advanceTimersByTimeAsync(300);
    memory.emit('active', { jobId: 'c' });
    await vi.advanceTimersByTimeAsync(300);
    expect(seen.ends).toEqual([{ kind: 'completed', value: { text: 'x' } }]);
    expect(queue.requests.filter((it) => it === 'getRanges')).toHaveLength(2);
    memory.emit('active', { jobId: 'c' });
    watch.close();
    stop();
    memory.emit('active', { jobId: 'c' });
    expect(vi.getTimerCount()).toBe(0);
  });

  it('asks nothing after an event on Redis, which has its events in one order', async () => {
    const { memory, follow } = await openWatch();
    follow('j');
    memory.emit('active', { jobId: 'c' });
    await vi.advanceTimersByTimeAsync(500);
    expect(memory.queue().requests).toEqual([]);
  });

  it('stops its timer with the last follower', async () => {
    const { memory, follow } = await openWatch();
    const [one, two] = [follow('j'), follow('j')];
    one.stop();
    expect(vi.getTimerCount()).toBe(1);
    two.stop();
    expect(vi.getTimerCount()).toBe(0);
    expect(memory.queue().requests).toEqual([]);
  });
});
