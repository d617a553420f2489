import { expect, it, onTestFinished, vi } from 'vitest';
import { LabelWorkers } from '../../../src/queue/worker/label-workers.js';
import { MemoryWorker, openMemoryStore } from '../memory-store.js';

async function openWorkers(labels: readonly string[], concurrency = 2) {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { store } = await openMemoryStore();
  const made = new Map<string, MemoryWorker>();
  const running: string[] = [];
  const workers = new LabelWorkers({
    store,
    labels,
    concurrency,
    createWorker: (name) => {
      const worker = new MemoryWorker(name);
      made.set(name, worker);
      return worker;
    },
    countRunning: (name) => running.filter((it) => name === undefined || it === name).length,
  });
  onTestFinished(() => workers.close(true));
  return { store, workers, made, running };
}

it('opens a queue for each requirement that the labels satisfy, also for those that come later', async () => {
  const { store, workers, made } = await openWorkers(['gpu', 'linux']);
  await store.register(['gpu']);
  await store.register(['windows']);
  await workers.start();
  expect([...made.keys()]).toEqual(['q', 'q+gpu']);
  await store.register(['gpu', 'linux']);
  await vi.advanceTimersByTimeAsync(2_000);
  expect([...made.keys()]).toEqual(['q', 'q+gpu', 'q+gpu+linux']);
});

it('shares the slots out: a full worker pauses all its queues', async () => {
  const { store, workers, made, running } = await openWorkers(['gpu']);
  await store.register(['gpu']);
  await workers.start();
  running.push('q');
  workers.balance();
  expect([made.get('q')?.concurrency, made.get('q+gpu')?.concurrency]).toEqual([2, 1]);
  expect(workers.isFull()).toBe(false);
  running.push('q+gpu');
  workers.balance();
  expect(workers.isFull()).toBe(true);
  expect(made.get('q')?.calls).toEqual(['pause']);
  running.pop();
  workers.balance();
  expect(made.get('q')?.calls).toEqual(['pause', 'resume']);
});

it('a stopped worker takes no job that BullMQ already waits for, until it goes on', async () => {
  const { workers, made } = await openWorkers([]);
  await workers.start();
  workers.stop();
  expect(workers.isFull()).toBe(true);
  expect(made.get('q')?.calls).toEqual(['pause']);
  workers.resume();
  expect(workers.isFull()).toBe(false);
  expect(made.get('q')?.calls).toEqual(['pause', 'resume']);
  const closing = workers.close(false);
  expect(workers.isFull()).toBe(true);
  await closing;
  workers.balance();
  expect(made.get('q')?.calls).toEqual(['pause', 'resume', 'close false']);
});
