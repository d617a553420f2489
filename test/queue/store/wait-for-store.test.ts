import { expect, test, vi } from 'vitest';
import { ProviderError } from '../../../src/base/errors/provider-error.js';
import { waitForStore } from '../../../src/queue/store/wait-for-store.js';

const network = () => new ProviderError({ code: 'NETWORK', message: 'The store h is away' });

/** Opens at the given attempt, and notes what is told. */
function createWait(limitMs: number, fail: (attempt: number) => Error | undefined) {
  const said: string[] = [];
  const stop = new AbortController();
  let attempts = 0;
  const open = async () => {
    const error = fail(++attempts);
    if (error !== undefined) throw error;
    return attempts;
  };
  const onConnection = (isConnected: boolean, message: string) =>
    void said.push(`${isConnected} ${message}`);
  const opening = waitForStore(open, { limitMs, signal: stop.signal, onConnection });
  return { opening, said, stop, attempts: () => attempts };
}

test('a store that is there is opened without a word', async () => {
  const { opening, said } = createWait(1_000, () => undefined);
  expect(await opening).toBe(1);
  expect(said).toEqual([]);
});

test('a store that is away is asked again, and both are said once', async () => {
  const { opening, said } = createWait(60_000, (attempt) => (attempt < 4 ? network() : undefined));
  expect(await opening).toBe(4);
  expect(said).toEqual([
    'false The store h is away (the wait ends after 1m)',
    'true The store answers',
  ]);
});

test('the limit ends the wait with the last error', async () => {
  const { opening, attempts } = createWait(250, network);
  await expect(opening).rejects.toMatchObject({ code: 'NETWORK' });
  expect(attempts()).toBeLessThan(3);
});

test('an error that no wait repairs is thrown at once, also after a wait', async () => {
  const refused = new ProviderError({ code: 'INVALID_CONFIG', message: 'refused' });
  const { opening, attempts } = createWait(60_000, (n) => (n === 1 ? network() : refused));
  await expect(opening).rejects.toBe(refused);
  expect(attempts()).toBe(2);
});

test('a signal ends the wait', async () => {
  const { opening, said, stop } = createWait(60_000, network);
  await vi.waitUntil(() => said.length > 0);
  stop.abort(new Error('disposed of'));
  await expect(opening).rejects.toThrow();
});
