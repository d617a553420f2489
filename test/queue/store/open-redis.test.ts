import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { openRedis } from '../../../src/queue/store/open-redis.js';
import type { OnConnection } from '../../../src/queue/store/queue-store.js';
import { parseStoreUrl } from '../../../src/queue/store/store-url.js';
import { startTinyRedis, type TinyRedisSettings } from './tiny-redis.js';

async function open(settings: TinyRedisSettings = {}, onConnection: OnConnection = () => {}) {
  const server = await startTinyRedis(settings);
  const url = server.url.replace('//', '//user:the-password@');
  const driver = await openRedis({
    address: parseStoreUrl(url, {}),
    name: 'q',
    onConnection,
    signal: new AbortController().signal,
  });
  onTestFinished(() => driver.close());
  return { server, driver };
}

describe('openRedis', () => {
  it('knows the clock of the server, keeps blobs, and names settings that may lose jobs', async () => {
    const { driver } = await open({ info: 'maxmemory_policy:allkeys-lru\r\naof_enabled:0\r\n' });
    expect(driver.isConnected).toBe(true);
    // The time of the server is 1000.5 s after 1970.
    expect(driver.clock.describe()).toContain('ahead of that of the store');
    expect(driver.notes).toEqual([
      'Redis may remove jobs when its memory is full (maxmemory-policy allkeys-lru): set noeviction',
      'Redis loses the latest jobs when it restarts (appendonly no): set appendonly yes',
    ]);
    await driver.blobs.put('room/a', Buffer.from('x'), 1_000);
    expect((await driver.blobs.get('room/a'))?.toString()).toBe('x');
    await driver.waitUntilAnswers();
    await driver.close();
    await vi.waitUntil(() => !driver.isConnected, 5_000);
  });

  it('makes the objects of BullMQ on the same server', async () => {
    const { driver } = await open();
    const queue = driver.createQueue('q');
    expect(queue.name).toBe('q');
    const events = driver.createEvents('q');
    const producer = driver.createProducer('q');
    const worker = driver.createWorker('q+gpu', async () => {}, { autorun: false });
    expect(worker.name).toBe('q+gpu');
    await events.waitUntilReady();
    await producer.publish('cancel', { id: 'j' });
    await Promise.all([queue.close(), events.close(), producer.close(), worker.close(true)]);
  });

  it.each([
    ['WRONGPASS invalid username-password pair', 'INVALID_CONFIG', 'refuses the credentials'],
    ['NOPERM this user has no permissions', 'INVALID_CONFIG', 'does not permit this user'],
    ['READONLY You can not write', 'API_UNAVAILABLE', 'is read-only'],
    ['ERR unknown command', 'UNKNOWN', 'reports an error'],
  ])('explains the refusal %j', async (refusal, code, problem) => {
    const opening = open({ refuse: { TIME: refusal } });
    await expect(opening).rejects.toMatchObject({
      code,
      message: expect.stringContaining(problem),
    });
    await expect(opening).rejects.not.toThrow('the-password');
  });

  it('gives up at once when the server refuses the password at the login', async () => {
    const opening = open({ refuse: { HELLO: 'WRONGPASS the-password is wrong' } });
    await expect(opening).rejects.toMatchObject({
      code: 'INVALID_CONFIG',
      message: expect.stringContaining('refuses the credentials'),
    });
    await expect(opening).rejects.not.toThrow('the-password');
  });

  it('gives up at once when no server is there', async () => {
    const { signal } = new AbortController();
    const address = parseStoreUrl('redis://127.0.0.1:1', {});
    const opening = openRedis({ address, name: 'q', onConnection: () => {}, signal });
    await expect(opening).rejects.toMatchObject({
      code: 'NETWORK',
      message: expect.stringContaining('redis://127.0.0.1:1 cannot be reached'),
    });
  });

  it('tells once that the connection is lost, and once that it is back', async () => {
    const reports: [boolean, string][] = [];
    const { server, driver } = await open({}, (...report) => void reports.push(report));
    server.cut();
    await vi.waitUntil(() => reports.length === 2, 5_000);
    expect(reports[0]?.[0]).toBe(false);
    expect(reports[1]).toEqual([true, 'The store answers again']);
    expect(driver.isConnected).toBe(true);
    await driver.close();
    expect(reports).toHaveLength(2);
  });
});
