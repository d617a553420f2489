import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { StepQueue } from '../../src/queue/step-queue.js';
import { collect, errorOf, openQueueLab, untilJob } from './queue-lab.js';

it('lists, describes, drains and cancels jobs that no worker has taken', async () => {
  const lab = await openQueueLab();
  const queue = lab.open();
  const first = await queue.enqueue('say one');
  const second = await queue.enqueue('say two', {}, { labels: ['gpu'], priority: 3 });
  expect(await queue.status()).toMatchObject({
    store: 'postgres',
    name: lab.connection.name,
    counts: { waiting: 2, active: 0, completed: 0 },
    requirements: [{ labels: [] }, { labels: ['gpu'], counts: { waiting: 1 } }],
    workers: [],
  });
  expect((await queue.list()).map(({ prompt }) => prompt)).toEqual(['say two', 'say one']);
  expect(await queue.list({ limit: 1 })).toHaveLength(1);
  expect(await queue.list({ state: 'failed' })).toEqual([]);
  expect(await queue.show(second.id)).toMatchObject({
    state: 'waiting',
    labels: ['gpu'],
    attempt: 0,
    isCancelled: false,
  });
  expect(await queue.cancel(first.id)).toBe(true);
  expect((await errorOf(queue.show(first.id))).message).toBe(`The queue has no job ${first.id}`);
  expect(await queue.drain()).toBe(1);
  expect(await queue.list()).toEqual([]);
});

it('keeps one job for each idempotency key, with its first prompt', async () => {
  const queue = (await openQueueLab()).open();
  const one = await queue.enqueue('first', { idempotencyKey: 'k' });
  const again = await queue.enqueue('second', { idempotencyKey: 'k' });
  expect(one.isNew).toBe(true);
  expect(again).toEqual({ id: one.id, isNew: false });
  expect((await queue.show(one.id)).prompt).toBe('first');
});

it('hands over the result of a job, and its events to those that watch', async () => {
  const lab = await openQueueLab();
  await lab.work({ workerName: 'w' });
  const queue = lab.open();
  const { id } = await queue.enqueue('say hello');
  const [result, events] = await Promise.all([queue.result(id), collect(queue.watch(id))]);
  expect(result).toMatchObject({ text: 'said say hello', job: { jobId: id, worker: 'w' } });
  expect(events.at(-1)).toMatchObject({ type: 'turn-complete', subtype: 'success' });
  expect(new Set(events.map(({ generationId }) => generationId)).size).toBe(1);
  expect(await queue.show(id)).toMatchObject({ state: 'completed', attempt: 1, worker: 'w' });
  expect(await queue.cancel(id)).toBe(false);
  expect(await queue.clean({ olderThan: '1h' })).toBe(0);
  expect(await queue.clean({ keep: 1 })).toBe(0);
  expect(await queue.clean()).toBe(1);
  expect((await errorOf(queue.result(id))).code).toBe('INVALID_INPUT');
});

it('makes the changes of a shipped workspace in the folder that is named, and in none otherwise', async () => {
  const lab = await openQueueLab();
  await lab.work();
  const queue = lab.open({ workspace: 'ship' });
  const { id } = await queue.enqueue('new.txt=made');
  const unapplied = await queue.result(id);
  expect(unapplied.files).toMatchObject([{ path: 'new.txt', kind: 'created' }]);
  expect(() => readFileSync(join(lab.workspace, 'new.txt'))).toThrow('ENOENT');
  const applied = await queue.result(id, { applyTo: lab.workspace });
  expect(readFileSync(join(lab.workspace, 'new.txt'), 'utf8')).toBe('made\n');
  expect(applied.filesWritten).toEqual({ 'new.txt': null });
});

it('throws the error of a failed job, and tries only failed jobs again', async () => {
  const lab = await openQueueLab();
  const queue = lab.open();
  const { id } = await queue.enqueue('fail=API_REQUEST once');
  const early = await errorOf(queue.retry(id));
  expect(early.message).toBe(`The job ${id} is waiting: only a failed job can be tried again`);
  await lab.work();
  const failure = await errorOf(queue.result(id));
  expect(failure).toMatchObject({ code: 'API_REQUEST', message: 'as asked: API_REQUEST' });
  expect(await queue.show(id)).toMatchObject({ state: 'failed', error: { code: 'API_REQUEST' } });
  await queue.retry(id);
  await untilJob(queue, id, 'completed');
  expect(await queue.show(id)).toMatchObject({ attempt: 2, lost: [], error: undefined });
});

it('ends the wait for a result when its signal is aborted, and the job stays', async () => {
  const queue = (await openQueueLab()).open();
  const { id } = await queue.enqueue('say one');
  const left = new AbortController();
  const waiting = queue.result(id, { signal: left.signal });
  left.abort();
  expect((await errorOf(waiting)).message).toBe('The caller has left the job on the queue');
  for await (const event of queue.watch(id)) {
    expect(event).toMatchObject({ type: 'session-status', waitsFor: 'queue' });
    break;
  }
  expect((await queue.show(id)).state).toBe('waiting');
});

it('ends a running job with the reason of its cancel, without control characters', async () => {
  const lab = await openQueueLab();
  await lab.work();
  const queue = lab.open();
  const { id } = await queue.enqueue('step=1 wait=60000');
  await untilJob(queue, id, 'active');
  expect(await queue.cancel(id, 'by\0 hand\u001b[2J')).toBe(true);
  expect((await errorOf(queue.result(id))).message).toBe('The job was cancelled: by hand');
  expect(await queue.show(id)).toMatchObject({ state: 'failed', isCancelled: true });
});

it('ends a pause of the queue before its time', async () => {
  const lab = await openQueueLab();
  await lab.work({ maxRateLimits: 0 });
  const queue = lab.open();
  const { id } = await queue.enqueue('fail=QUOTA_EXHAUSTED');
  expect((await errorOf(queue.result(id))).code).toBe('QUOTA_EXHAUSTED');
  expect((await queue.status()).pause).toMatchObject({ code: 'QUOTA_EXHAUSTED' });
  await queue.resume();
  expect((await queue.status()).pause).toBeUndefined();
});

it('refuses ids, reasons and options that are none, and every call after its end', async () => {
  const lab = await openQueueLab();
  const queue = lab.open();
  for (const id of ['', 'x'.repeat(1_001)])
    expect((await errorOf(queue.show(id))).message).toContain('id must be the id of a job');
  // BullMQ keeps the settings of a queue under this name beside the jobs.
  expect((await errorOf(queue.cancel('meta'))).message).toBe('The queue has no job meta');
  expect((await errorOf(queue.retry('../x'))).code).toBe('INVALID_INPUT');
  expect((await errorOf(queue.cancel('j'))).message).toBe('The queue has no job j');
  // @ts-expect-error: wrong on purpose.
  expect((await errorOf(queue.cancel('j', 7))).message).toContain('reason must be a text');
  // @ts-expect-error: wrong on purpose.
  expect((await errorOf(queue.list({ state: 'lost' }))).code).toBe('INVALID_CONFIG');
  expect((await errorOf(queue.clean({ keep: -1 }))).message).toContain('keep');
  await queue.close();
  expect((await errorOf(queue.status())).message).toBe('The provider was disposed of');
  const disposed = new StepQueue(lab.connection);
  await disposed[Symbol.asyncDispose]();
  expect((await errorOf(disposed.enqueue('x'))).code).toBe('INVALID_INPUT');
});
