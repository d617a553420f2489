import { expect, it, vi } from 'vitest';
import { EndedJobs } from '../../../src/queue/worker/ended-jobs.js';
import { openMemoryStore } from '../memory-store.js';

async function openEnded(kind: 'postgres' | 'redis') {
  const { store, queue } = await openMemoryStore(true, kind);
  const now = Date.now();
  for (let index = 0; index < 50; index++)
    queue().put(`j${index}`, { state: 'completed', finishedOn: now - index * 1_000 });
  const ended = new EndedJobs(store);
  const end = (count: number, keep: number | undefined) => {
    for (let index = 0; index < count; index++) ended.ended('q', keep);
  };
  return { queue, end };
}

it('removes the oldest ended jobs on PostgreSQL, once in a number of ends', async () => {
  const { queue, end } = await openEnded('postgres');
  end(19, 30);
  await Promise.resolve();
  expect(queue().jobs.size).toBe(50);
  end(1, 30);
  await vi.waitFor(() => expect(queue().jobs.size).toBe(30));
  expect([...queue().jobs.keys()].at(-1)).toBe('j29');
});

it('removes nothing on Redis, without a number, and as long as there are not more', async () => {
  const redis = await openEnded('redis');
  redis.end(100, 30);
  const { queue, end } = await openEnded('postgres');
  end(100, undefined);
  end(100, 60);
  await vi.waitFor(() => expect(queue().requests).toContain('getJobs completed 60'));
  expect([queue().jobs.size, redis.queue().jobs.size]).toEqual([50, 50]);
});

it('goes on after an error of the store', async () => {
  const { queue, end } = await openEnded('postgres');
  queue().failure = new Error('away');
  end(20, 30);
  await vi.waitFor(() => expect(queue().failure).toBe(undefined));
  await vi.waitFor(() => {
    end(20, 30);
    expect(queue().jobs.size).toBe(30);
  });
});
