import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { postPush } from '../../../src/remote/server/post-push.js';
import { startPushHost } from './push-host.js';

afterEach(() => void vi.useRealTimers());

const NOON = Date.parse('2026-06-01T12:00:00.000Z');
const POST = { method: 'POST' as const, headers: { TTL: '60' }, body: Buffer.from('sealed') };

describe('postPush', () => {
  it('posts headers and body, and tells by how much the clock of this machine is ahead', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: NOON });
    const { endpoint, received } = await startPushHost((response) => {
      response.writeHead(201, { date: new Date(NOON - 90 * 60_000).toUTCString() }).end();
    });
    expect(await postPush({ ...POST, endpoint })).toEqual({
      status: 201,
      retryAfterMs: undefined,
      clockAheadMs: 90 * 60_000,
    });
    expect(received).toMatchObject([{ headers: { ttl: '60' }, body: 'sealed' }]);
  });

  it.each([
    ['17', 17_000],
    ['0', 0],
    ['-1', undefined],
    ['1e3', undefined],
    ['9999999', undefined],
    ['Mon, 01 Jun 2026 12:00:00 GMT', undefined],
  ])('reads the wait that a service asks for: %s', async (value, wanted) => {
    const { endpoint } = await startPushHost((response) => {
      response.sendDate = false;
      response.writeHead(429, { 'retry-after': value }).end();
    });
    expect(await postPush({ ...POST, endpoint })).toEqual({
      status: 429,
      retryAfterMs: wanted,
      clockAheadMs: undefined,
    });
  });

  it('reads nothing of an endless answer, and closes its connection', async () => {
    const closed: Promise<unknown>[] = [];
    const fill = (response: ServerResponse): void => {
      while (response.write('x'.repeat(64 * 1024)));
    };
    const { endpoint } = await startPushHost((response) => {
      closed.push(once(response, 'close'));
      response.writeHead(200, { date: 'no date' });
      response.on('drain', () => fill(response));
      fill(response);
    });
    expect(await postPush({ ...POST, endpoint })).toMatchObject({
      status: 200,
      clockAheadMs: undefined,
    });
    expect(closed).toHaveLength(1);
    await Promise.all(closed);
  });

  it('fails if nothing listens at the address', async () => {
    const sent = postPush({ ...POST, endpoint: 'https://127.0.0.1:1/push' });
    await expect(sent).rejects.toThrow('ECONNREFUSED');
  });

  it('fails if the service does not answer within 10 seconds', async () => {
    const { endpoint } = await startPushHost(() => {});
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const sent = postPush({ ...POST, endpoint });
    vi.advanceTimersByTime(10_000);
    await expect(sent).rejects.toThrow('no answer within 10 seconds');
  });
});
