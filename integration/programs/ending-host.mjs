#!/usr/bin/env node
// Host of one step that ends in a given way. Argument: JSON { ending, config, ready, isFirst }. Prints `ready` when the command of
// the step has started its processes (the file `ready` exists), and `over` when the host has done its part.
import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { isMainThread, Worker, workerData } from 'node:worker_threads';

const options = isMainThread ? JSON.parse(process.argv[2] ?? '{}') : workerData;
const { ending, config, ready, isFirst } = options;
const isReady = async () => {
  while (!existsSync(ready)) await sleep(20);
};

if (ending === 'worker' && isMainThread) {
  const worker = new Worker(new URL(import.meta.url), { workerData: options });
  await isReady();
  await worker.terminate();
  console.log('over');
  // The host lives on: only the reaper can end what the worker has left.
  setInterval(() => {}, 60_000);
} else {
  const { GeminiCliProvider } = await import('gemini-cli-provider');
  const provider = new GeminiCliProvider(config);
  const cancel = new AbortController();
  const step = provider.generate('go', {}, { signal: cancel.signal }).then(
    () => 'SUCCESS',
    ({ code }) => code,
  );
  // The kernel drops SIGTERM for the first process of a PID namespace, unless the process has a handler.
  if (isFirst && ending === 'SIGTERM')
    process.once('SIGTERM', () => void provider.dispose().finally(() => process.exit(143)));
  /** @type {Record<string, () => unknown>} */
  const endings = {
    normal: () => step,
    timeout: () => step,
    cancel: () => cancel.abort(),
    dispose: () => Promise.all([provider.dispose(), provider.dispose()]),
    throw: () => {
      setImmediate(() => {
        throw new Error('thrown by the host');
      });
      return sleep(60_000);
    },
    exit: () => process.exit(3),
    abort: () => process.abort(),
    SIGKILL: () => sleep(60_000),
    SIGTERM: () => sleep(60_000),
    worker: () => sleep(60_000),
    'dispose-early': () => provider.dispose(),
  };
  if (ending === 'dispose-early') await sleep(Math.random() * 400);
  else if (ending !== 'timeout' && ending !== 'normal') await isReady();
  if (isMainThread) console.log('ready');
  await endings[ending]?.();
  console.log(await step);
  await provider.dispose();
  console.log('over');
}
