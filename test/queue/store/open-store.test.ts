import { describe, expect, it } from 'vitest';
import { findRisks } from '../../../src/queue/store/open-redis.js';
import { openMemoryStore } from '../memory-store.js';

describe('OpenStore', () => {
  it('makes each queue once, and lists the labels that steps asked for', async () => {
    const { store } = await openMemoryStore();
    expect(store.queue('q')).toBe(store.queue('q'));
    expect(store.events('q')).toBe(store.events('q'));
    expect(await store.register([])).toBe('q');
    expect(await store.register(['a', 'b'])).toBe('q+a+b');
    expect(await store.requirements()).toEqual([[], ['a', 'b']]);
  });

  it('names the store in an error of its driver', async () => {
    const { store } = await openMemoryStore();
    const full = store.ask(() => Promise.reject(new Error('OOM command not allowed')));
    await expect(full).rejects.toMatchObject({
      code: 'API_UNAVAILABLE',
      message: 'The store redis://h is full: OOM command not allowed',
    });
  });

  it('closes what was opened, once', async () => {
    const { store, queue } = await openMemoryStore();
    store.queue('q');
    await Promise.all([store.close(), store.close()]);
    expect(queue().requests).toEqual(['close']);
  });
});

describe('findRisks', () => {
  it.each([
    ['maxmemory_policy:noeviction\r\naof_enabled:1\r\n', 0],
    ['maxmemory_policy:allkeys-lru\r\naof_enabled:1\r\n', 1],
    ['maxmemory_policy:volatile-ttl\naof_enabled:0', 2],
    ['', 0],
  ])('%j has %d', (info, count) => {
    expect(findRisks(info)).toHaveLength(count);
  });
});
