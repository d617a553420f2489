import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Logger } from '../../../src/api/logger.js';
import { findRisks } from '../../../src/queue/store/open-redis.js';
import { openStore } from '../../../src/queue/store/open-store.js';
import { openMemoryStore } from '../memory-store.js';
import { startTinyRedis } from './tiny-redis.js';

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

/** Settings of a store, and what is written to its log. */
function settingsOf(url: string) {
  const logged: string[] = [];
  const note =
    (level: string) =>
    (_: unknown, text: unknown): void =>
      void logged.push(`${level} ${String(text)}`);
  const logger: Logger = {
    debug: note('debug'),
    info: note('info'),
    warn: note('warn'),
    error: note('error'),
  };
  return { logged, settings: { url, name: 'q', logger, connectMs: 150 } };
}

describe('openStore', () => {
  it('tells of a lost connection and of its return, although the listener throws', async () => {
    const server = await startTinyRedis();
    const { logged, settings } = settingsOf(server.url);
    const heard: boolean[] = [];
    const store = await openStore(settings, (isConnected) => {
      heard.push(isConnected);
      throw new Error('of the listener');
    });
    onTestFinished(() => store.close());
    expect(store.address.shown).toBe(server.url);
    server.cut();
    await vi.waitUntil(() => heard.length === 2, 5_000);
    expect(heard).toEqual([false, true]);
    expect(logged).toEqual([
      expect.stringMatching(/^warn There is no connection to the store: /),
      'error onConnection has thrown an error',
      'info The store answers again',
      'error onConnection has thrown an error',
    ]);
    expect(store.notes.join()).toContain('The clock of this machine is');
  });

  it('gives up after the time for the connection, and at once after its signal', async () => {
    const { logged, settings } = settingsOf('redis://127.0.0.1:1');
    await expect(openStore(settings)).rejects.toMatchObject({ code: 'NETWORK' });
    expect(logged).toEqual([expect.stringContaining('the wait ends after')]);
    const aborted = AbortSignal.abort(new Error('no longer wanted'));
    const late = { ...settings, connectMs: 60_000 };
    await expect(openStore(late, () => {}, aborted)).rejects.toThrow();
  });

  it('closes a store that answers after its signal was aborted', async () => {
    const server = await startTinyRedis();
    const { settings } = settingsOf(server.url);
    const stop = new AbortController();
    const opening = openStore(settings, () => {}, stop.signal);
    setImmediate(() => stop.abort(new Error('no longer wanted')));
    await expect(opening).rejects.toThrow();
    await vi.waitUntil(() => server.connections() === 0, 5_000);
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
