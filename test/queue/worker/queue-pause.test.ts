import { describe, expect, it } from 'vitest';
import { ProviderError } from '../../../src/base/errors/provider-error.js';
import {
  endPause,
  pauseAfter,
  pauseQueues,
  readLimit,
  readPause,
} from '../../../src/queue/worker/queue-pause.js';
import { SharedLimit } from '../../../src/queue/worker/shared-limit.js';
import { openMemoryStore } from '../memory-store.js';

const LIMITED = { code: 'RATE_LIMITED', message: 'slow down' } as const;

async function openStoreWith(...concurrencies: readonly number[]) {
  const memory = await openMemoryStore();
  for (const [index, concurrency] of concurrencies.entries()) {
    const id = `w${index}`;
    const info = { id, name: id, host: 'h', pid: 1, labels: [], concurrency, running: 0 };
    const more = { succeeded: 0, failed: 0, state: 'ready', version: '1', protocol: '1.0' };
    const bytes = Buffer.from(
      JSON.stringify({ ...info, ...more, startedAt: '2026-01-01T00:00:00.000Z' }),
    );
    await memory.blobs.put(`worker/${id}`, bytes, 1);
  }
  return memory;
}

describe('pauseAfter', () => {
  it.each([
    [{ code: 'RATE_LIMITED', retryAfterMs: 700 }, 0, 700],
    [{ code: 'RATE_LIMITED' }, 0, 2_000],
    [{ code: 'RATE_LIMITED' }, 2, 8_000],
    [{ code: 'RATE_LIMITED' }, 20, 60_000],
    [{ code: 'QUOTA_EXHAUSTED' }, 0, 900_000],
    [{ code: 'QUOTA_EXHAUSTED', retryAfterMs: 5 }, 0, 5],
  ] as const)('%j after %d pauses: %d ms', (error, before, ms) => {
    expect(pauseAfter(new ProviderError({ message: 'm', ...error }), before)).toBe(ms);
  });
});

describe('a pause', () => {
  it('reaches the queues of all labels, and a longer one stays', async () => {
    const { store, queue } = await openMemoryStore();
    await store.register(['gpu']);
    const long = await pauseQueues(store, LIMITED, 'w1', 5_000);
    expect(await pauseQueues(store, LIMITED, 'w2', 1_000)).toEqual(long);
    expect(queue().requests).toEqual(['rateLimit 5000']);
    expect(queue('q+gpu').requests).toEqual(['rateLimit 5000']);
    expect(await readPause(store)).toEqual({
      ...LIMITED,
      worker: 'w1',
      until: '1970-01-01T00:00:15.000Z',
    });
    await endPause(store);
    expect(await readPause(store)).toBe(undefined);
    expect(queue().requests.slice(1)).toEqual(['removeRateLimitKey', 'removeGlobalConcurrency']);
  });

  it('is none if the store has something else in its place', async () => {
    const { store, blobs } = await openMemoryStore();
    await blobs.put('control/pause', Buffer.from('{'), 1);
    expect(await readPause(store)).toBe(undefined);
    await blobs.put('control/pause', Buffer.from('{"code":"OTHER"}'), 1);
    expect(await readPause(store)).toBe(undefined);
  });
});

describe('SharedLimit', () => {
  it('is halved once per rate limit, over all workers', async () => {
    const memory = await openStoreWith(4, 4);
    const [one, two] = [new SharedLimit(memory.store), new SharedLimit(memory.store)];
    await one.rateLimited(memory.nowMs - 1);
    // This step had begun before the limit was halved.
    await two.rateLimited(memory.nowMs - 1);
    expect(await readLimit(memory.store)).toBe(4);
    memory.nowMs += 10;
    await two.rateLimited(memory.nowMs - 1);
    expect(await readLimit(memory.store)).toBe(2);
    expect(memory.queue().requests).toEqual(['setGlobalConcurrency 4', 'setGlobalConcurrency 2']);
  });

  it('grows with the successes of all workers, and is lifted at the end', async () => {
    const memory = await openStoreWith(2, 2);
    const limit = new SharedLimit(memory.store);
    await limit.rateLimited(0);
    for (let step = 0; step < 50; step++) await limit.succeeded();
    expect(await readLimit(memory.store)).toBe(undefined);
    expect(memory.queue().requests).toEqual([
      'setGlobalConcurrency 2',
      'setGlobalConcurrency 3',
      'removeGlobalConcurrency',
    ]);
  });
});
