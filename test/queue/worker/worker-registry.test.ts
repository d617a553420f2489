import { expect, it, onTestFinished, vi } from 'vitest';
import type { WorkerInfo } from '../../../src/queue/job-info.js';
import { Heartbeat, listWorkers } from '../../../src/queue/worker/worker-registry.js';
import { createMemoryBlobs } from '../workspace/support.js';

const info = (id: string, name: string): WorkerInfo => ({
  id,
  name,
  host: 'h',
  pid: 1,
  labels: [],
  concurrency: 1,
  running: 0,
  succeeded: 0,
  failed: 0,
  state: 'ready',
  version: '1',
  protocol: '1.0',
  startedAt: '2026-01-01T00:00:00.000Z',
});

it('lists workers by name, two with the same name both, and none that it cannot read', async () => {
  const blobs = createMemoryBlobs();
  for (const one of [info('1', 'b'), info('2', 'a'), info('3', 'a')])
    await blobs.put(`worker/${one.id}`, Buffer.from(JSON.stringify(one)), 1);
  await blobs.put('worker/odd', Buffer.from('{'), 1);
  await blobs.put('worker/newer', Buffer.from('{"id":1}'), 1);
  expect((await listWorkers(blobs)).map(({ id }) => id).sort()).toEqual(['1', '2', '3']);
  expect((await listWorkers(blobs)).map(({ name }) => name)).toEqual(['a', 'a', 'b']);
});

it('beats every four seconds, once at a time while the store is away, and is gone after its end', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const blobs = createMemoryBlobs();
  let isAway = false;
  let beats = 0;
  const put = async (key: string, bytes: Uint8Array, ttlMs: number): Promise<void> => {
    beats++;
    while (isAway) await new Promise((resolve) => setTimeout(resolve, 100));
    await createMemoryBlobs().put(key, bytes, ttlMs);
    blobs.blobs.set(key, Buffer.from(bytes));
  };
  const heartbeat = new Heartbeat({ ...blobs, put }, () => info('1', 'a'));
  await heartbeat.beat();
  await vi.advanceTimersByTimeAsync(8_000);
  expect(beats).toBe(3);
  isAway = true;
  await vi.advanceTimersByTimeAsync(40_000);
  expect(beats).toBe(4);
  isAway = false;
  await vi.advanceTimersByTimeAsync(4_000);
  expect(await listWorkers(blobs)).toHaveLength(1);
  await heartbeat.stop();
  expect(await listWorkers(blobs)).toEqual([]);
  expect(vi.getTimerCount()).toBe(0);
});

it('writes once more after a write that a change has overtaken', async () => {
  const blobs = createMemoryBlobs();
  const pauses: (() => void)[] = [];
  const put: typeof blobs.put = async (...args) => {
    await new Promise<void>((resolve) => void pauses.push(resolve));
    await blobs.put(...args);
  };
  let succeeded = 0;
  const describe = () => ({ ...info('1', 'a'), succeeded });
  const heartbeat = new Heartbeat({ ...blobs, put }, describe);
  const beating = heartbeat.beat();
  for (let step = 0; step < 3; step++) {
    succeeded++;
    void heartbeat.beat();
  }
  pauses.shift()?.();
  await vi.waitUntil(() => pauses.length === 1);
  pauses.shift()?.();
  await beating;
  expect(await listWorkers(blobs)).toMatchObject([{ succeeded: 3 }]);
  expect(pauses).toEqual([]);
  await heartbeat.stop();
});
