import { afterEach, describe, expect, it, vi } from 'vitest';
import { deliverPush } from '../../../src/remote/server/push-delivery.js';
import { skipSleeps } from '../skip-sleeps.js';
import { startPushHost } from './push-host.js';

afterEach(() => void vi.useRealTimers());

const HOUR_MS = 60 * 60 * 1000;
const open = (): AbortSignal => new AbortController().signal;

/** Starts a host that answers with the statuses, one after the other; the last one holds for all further requests. */
async function startHost(statuses: readonly number[], headers: Record<string, string> = {}) {
  const { endpoint, received } = await startPushHost((response, count) => {
    response.writeHead(statuses[count - 1] ?? statuses.at(-1) ?? 500, headers).end();
  });
  const prepare = vi.fn(() => ({
    ...{ endpoint, method: 'POST' as const, body: Buffer.from('sealed') },
    headers: { signature: String(prepare.mock.calls.length) },
  }));
  return { prepare, received, host: new URL(endpoint).host };
}

describe('deliverPush', () => {
  it.each([
    [200, 'accepted'],
    [201, 'accepted'],
    [404, 'ended'],
    [410, 'ended'],
  ])('takes the status %i at once for %s', async (status, type) => {
    const slept = skipSleeps();
    const { prepare, received } = await startHost([status]);
    expect(await deliverPush(prepare, open())).toEqual({ type });
    expect([received.length, slept]).toEqual([1, []]);
  });

  it('sends a message again, with a new signature, after 2 and 15 seconds', async () => {
    const slept = skipSleeps();
    const { prepare, received } = await startHost([429, 500, 201]);
    expect(await deliverPush(prepare, open())).toEqual({ type: 'accepted' });
    expect(slept).toEqual([2_000, 15_000]);
    expect(received.map(({ headers }) => headers['signature'])).toEqual(['1', '2', '3']);
  });

  it.each([
    ['1', [2_000, 15_000]],
    ['10', [10_000, 15_000]],
    ['3600', [60_000, 60_000]],
  ])('waits as long as a busy service asks, up to a minute: %s seconds', async (after, waits) => {
    const slept = skipSleeps();
    const { prepare, host } = await startHost([503], { 'retry-after': after });
    expect(await deliverPush(prepare, open())).toEqual({
      type: 'failed',
      problem: `${host} has refused it (HTTP 503)`,
    });
    expect(slept).toEqual(waits);
  });

  it('does not repeat a message that the service refuses, and says what to do', async () => {
    const slept = skipSleeps();
    const { prepare, received, host } = await startHost([403]);
    expect(await deliverPush(prepare, open())).toEqual({
      type: 'failed',
      problem: `${host} has refused it (HTTP 403). Turn push messages off and on again on the device.`,
    });
    expect([received.length, slept]).toEqual([1, []]);
  });

  it.each([
    [3 * HOUR_MS, '3 hours ahead'],
    [-1.2 * HOUR_MS, '1 hour behind'],
  ])('names a clock that is wrong as the cause: %i ms', async (aheadMs, words) => {
    const now = Date.parse('2026-06-01T12:00:00.000Z');
    vi.useFakeTimers({ toFake: ['Date'], now });
    const date = new Date(now - aheadMs).toUTCString();
    const { prepare, host } = await startHost([401], { date });
    expect(await deliverPush(prepare, open())).toEqual({
      type: 'failed',
      problem: `${host} has refused it (HTTP 401). The clock of this machine is ${words}: correct it.`,
    });
  });

  it('tells why a service could not be reached, after three tries', async () => {
    const slept = skipSleeps();
    const endpoint = 'https://127.0.0.1:1/push';
    const prepare = vi.fn(() => ({ endpoint, method: 'POST' as const, headers: {}, body: null }));
    expect(await deliverPush(prepare, open())).toEqual({
      type: 'failed',
      problem: expect.stringMatching(/^127\.0\.0\.1:1 cannot be reached \(.*ECONNREFUSED.*\)$/),
    });
    expect([prepare.mock.calls.length, slept]).toEqual([3, [2_000, 15_000]]);
  });

  it('is not repeated when a newer message has replaced it', async () => {
    const sending = new AbortController();
    skipSleeps(() => sending.abort());
    const { prepare, received } = await startHost([500, 201]);
    expect(await deliverPush(prepare, sending.signal)).toEqual({ type: 'replaced' });
    expect(received).toHaveLength(1);
  });
});
