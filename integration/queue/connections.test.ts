import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { ProviderError } from 'gemini-cli-provider';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { openQueueLab } from './queue-lab.js';
import { findFreePort } from './redis-server.mjs';
import { listStores } from './servers.js';
import { startTcpProxy } from './tcp-proxy.js';

const { stores } = listStores();

async function failureOf(promise: Promise<unknown>): Promise<ProviderError> {
  const outcome = await promise.catch((error: unknown) => error);
  if (ProviderError.isInstance(outcome)) return outcome;
  throw new Error(`A ProviderError was expected: ${String(outcome)}`);
}

describe.each(stores)('%s', (store) => {
  test('a store that is not there is an error that names it, when the wait for it is over', async () => {
    const lab = await openQueueLab(store);
    const url = new URL(lab.url);
    url.port = String(await findFreePort());
    const options = { queue: url.href, connectTimeout: '200ms' };
    for (const failed of [lab.connect(options).validate(), lab.work(options)]) {
      const error = await failureOf(failed);
      expect(error.code).toBe('NETWORK');
      expect(error.message).toContain(`127.0.0.1:${url.port}`);
      expect(error.retryable).toBe(true);
    }
    // A caller that goes does not wait for the store.
    const provider = lab.connect({ queue: url.href });
    const running = failureOf(provider.generate('x'));
    await provider.dispose();
    expect((await running).code).toBe('CANCELLED');
  });

  test('caller, worker and queue that start while the network is cut wait, say so, and go on', async () => {
    const lab = await openQueueLab(store);
    const proxy = await startTcpProxy(lab.url);
    onTestFinished(proxy.close);
    proxy.cut();
    const said: string[] = [];
    const say = (who: string) => (isConnected: boolean, message: string) =>
      void said.push(`${who} ${isConnected} ${message}`);
    const queue = proxy.url;
    const running = lab.connect({ queue, onConnection: say('caller') }).generate('a.txt+=once');
    const status = lab.open({ queue, onConnection: say('queue') }).status();
    const working = lab.work({
      queue,
      onEvent: (event) => {
        if (event.type === 'store-connection') say('worker')(event.isConnected, event.message);
      },
    });
    const away =
      /^(caller|queue|worker) false .*127\.0\.0\.1.* cannot be reached: .*wait ends after 5m/;
    await vi.waitUntil(() => said.length === 3, 30_000);
    expect(said.every((line) => away.test(line))).toBe(true);
    proxy.heal();
    await working;
    expect(await running).toMatchObject({ files: [{ path: 'a.txt' }] });
    expect((await status).counts.failed).toBe(0);
    expect(
      said
        .filter((line) => line.includes(' true '))
        .map((line) => line.split(' ')[0])
        .sort(),
    ).toEqual(['caller', 'queue', 'worker']);
    expect(readFileSync(lab.runs, 'utf8')).toBe('a.txt+=once\n');
  });

  test('a network that is cut between the first connection and the first step delays the step', async () => {
    const lab = await openQueueLab(store);
    const proxy = await startTcpProxy(lab.url);
    onTestFinished(proxy.close);
    await lab.work({ labels: 'gpu' });
    const provider = lab.connect({ queue: proxy.url });
    await provider.validate();
    proxy.cut();
    const steps = [
      provider.generate('a.txt=x'),
      provider.generate('b.txt=x', {}, { labels: ['gpu'] }),
    ];
    const all = Promise.all(steps);
    expect(await Promise.race([all, sleep(500, 'waits')])).toBe('waits');
    proxy.heal();
    expect((await all).map(({ text }) => text)).toEqual(['said a.txt=x', 'said b.txt=x']);
  });

  test('a worker ends although its store is gone, and a caller too', async () => {
    const lab = await openQueueLab(store);
    const proxy = await startTcpProxy(lab.url);
    onTestFinished(proxy.close);
    const provider = lab.connect({ queue: proxy.url });
    const worker = await lab.work({ queue: proxy.url });
    await provider.generate('step=first');
    proxy.cut();
    await worker.close({ limit: 1 });
    await provider.dispose();
  });
});
