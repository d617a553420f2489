import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { Takeover } from '../../../src/base/process/takeover.js';
import { QueuedProvider } from '../../../src/queue/provider/queued-provider.js';
import { collect, errorOf, failingAgent, openQueueLab, untilRunning } from '../queue-lab.js';

it('describes itself as a provider in front of a queue', async () => {
  const { metadata } = new QueuedProvider({ queue: 'redis://127.0.0.1' });
  expect(metadata).toMatchObject({ name: 'queued', requiresConfig: false });
  expect(metadata.version).toMatch(/^\d+\.\d+\.\d+/);
  expect(metadata.configKeys).toContain('waitTimeout');
});

it('counts the workers that can run its steps', async () => {
  const lab = await openQueueLab();
  const plain = lab.connect();
  const { notes: before, workingDir } = await plain.validate();
  expect(workingDir).toBe(lab.workspace);
  expect(before.at(-1)).toMatch(/^No worker is connected to postgres:.*: steps wait until one is$/);
  await lab.work({ labels: ['linux'] });
  const gpu = lab.connect({ labels: ['gpu'], config: {} });
  const { notes, workingDir: ownDir } = await gpu.validate();
  expect(ownDir).toBe(process.cwd());
  expect(notes.at(-1)).toContain('No worker with the labels gpu is connected');
  expect((await plain.validate()).notes.at(-1)).toBe('1 of 1 workers can run the steps');
});

it('runs a step on a worker, whose events and files come back with the own id of the step', async () => {
  const lab = await openQueueLab();
  await lab.work({ workerName: 'w' });
  const provider = lab.connect({ workspace: 'ship' });
  const context = { projectRoot: lab.workspace, mine: 1 };
  const events = await collect(provider.stream('new.txt=made', context));
  const types = events.map(({ type }) => type);
  expect(types).toEqual(expect.arrayContaining(['worker-assigned', 'session-init', 'text-delta']));
  expect(new Set(events.map(({ generationId }) => generationId)).size).toBe(1);
  const end = events.at(-1);
  expect(end).toMatchObject({
    type: 'turn-complete',
    result: { job: { worker: 'w' }, filesWritten: { 'new.txt': null } },
  });
  expect(end?.type === 'turn-complete' && end.result?.context).toBe(context);
  expect(readFileSync(join(lab.workspace, 'new.txt'), 'utf8')).toBe('made\n');
});

it('makes the changes that a failed step has left behind', async () => {
  const lab = await openQueueLab();
  await lab.work(failingAgent());
  const provider = lab.connect({ workspace: 'ship' });
  const error = await errorOf(provider.generate('part.txt=x'));
  expect(error).toMatchObject({
    code: 'API_REQUEST',
    partial: { files: [{ path: 'part.txt', absolutePath: join(lab.workspace, 'part.txt') }] },
  });
  expect(readFileSync(join(lab.workspace, 'part.txt'), 'utf8')).toBe('x\n');
});

it('ends a running step with the reason of the caller, and with what the step did so far', async () => {
  const lab = await openQueueLab();
  await lab.work();
  const queue = lab.open();
  const stop = new AbortController();
  const running = errorOf(
    lab.connect().generate('part.txt=x wait=60000', {}, { signal: stop.signal }),
  );
  await vi.waitUntil(async () => (await queue.list({ state: 'active' })).length === 1, 10_000);
  stop.abort(new Error('no longer wanted'));
  const error = await running;
  expect(error).toMatchObject({ code: 'CANCELLED', partial: { files: [{ path: 'part.txt' }] } });
  expect(error.message).toContain('no longer wanted');
});

it('names the caller as the reason if an abort has none', async () => {
  const lab = await openQueueLab();
  const worker = await lab.work();
  const stop = new AbortController();
  const running = errorOf(lab.connect().generate('step=1 wait=60000', {}, { signal: stop.signal }));
  await untilRunning(worker);
  stop.abort();
  expect((await running).message).toBe('The job was cancelled: the caller cancelled the step');
});

it('fails a step whose files have changed at the caller meanwhile, and overwrites none of them', async () => {
  const lab = await openQueueLab();
  const provider = lab.connect({ workspace: 'ship' });
  const running = errorOf(provider.generate('kept.txt=of_the_worker'));
  const queue = lab.open();
  await vi.waitUntil(async () => (await queue.list()).length === 1, 10_000);
  writeFileSync(join(lab.workspace, 'kept.txt'), 'of the caller\n');
  await lab.work();
  expect((await running).code).toBe('EXPECTATION_FAILED');
  expect(readFileSync(join(lab.workspace, 'kept.txt'), 'utf8')).toBe('of the caller\n');
});

it('cancels the job of a stream that is left, and of a provider that is disposed of', async () => {
  const lab = await openQueueLab();
  const queue = lab.open();
  const provider = lab.connect();
  for await (const { type } of provider.stream('say one')) {
    expect(type).toBe('session-status');
    break;
  }
  await vi.waitUntil(async () => (await queue.list()).length === 0, 10_000);
  const running = errorOf(provider.generate('say two'));
  await vi.waitUntil(async () => (await queue.list()).length === 1, 10_000);
  await provider[Symbol.asyncDispose]();
  expect((await running).code).toBe('CANCELLED');
  expect(await queue.list()).toEqual([]);
  const late = await errorOf(provider.generate('say three'));
  expect(late.message).toContain('disposed of');
});

it('adds no job for a step that was cancelled before, and takes back one that was added meanwhile', async () => {
  const lab = await openQueueLab();
  const queue = lab.open();
  const provider = lab.connect();
  const before = errorOf(provider.generate('never', {}, { signal: AbortSignal.abort() }));
  expect((await before).code).toBe('CANCELLED');
  await provider.validate();
  const stop = new AbortController();
  const meanwhile = errorOf(provider.generate('short', {}, { signal: stop.signal }));
  setImmediate(() => stop.abort('enough'));
  expect((await meanwhile).code).toBe('CANCELLED');
  await provider.dispose();
  expect(await queue.list()).toEqual([]);
});

it('leaves the job of a detached step on the queue, for the next call with the same key', async () => {
  const lab = await openQueueLab();
  const provider = lab.connect({ detach: true });
  const context = { idempotencyKey: 'k' };
  for await (const { type } of provider.stream('say hello', context)) {
    expect(type).toBe('session-status');
    break;
  }
  const queue = lab.open();
  const [job] = await queue.list();
  expect(job).toMatchObject({ state: 'waiting', prompt: 'say hello' });
  await lab.work();
  expect((await provider.generate('say hello', context)).text).toBe('said say hello');
  const stop = new AbortController();
  const waiting = errorOf(
    lab.connect({ detach: true, labels: ['gpu'] }).generate('x', {}, { signal: stop.signal }),
  );
  await vi.waitUntil(async () => (await queue.list({ state: 'waiting' })).length === 1, 10_000);
  stop.abort();
  expect((await waiting).code).toBe('CANCELLED');
});

it('leaves the job to another process that has taken the step over, also while the job is added', async () => {
  const lab = await openQueueLab();
  const provider = lab.connect();
  const queue = lab.open();
  await provider.validate();
  for (const idempotencyKey of ['adds', 'waits']) {
    const over = new AbortController();
    const leaving = errorOf(provider.generate('x', { idempotencyKey }, { signal: over.signal }));
    if (idempotencyKey === 'waits')
      await vi.waitUntil(async () => (await queue.list()).length === 2, 10_000);
    setImmediate(() => over.abort(new Takeover()));
    expect((await leaving).code).toBe('CANCELLED');
  }
  await provider.dispose();
  await vi.waitUntil(async () => (await queue.list({ state: 'waiting' })).length === 2, 10_000);
});

it('gives up a step that no worker takes in time, and leaves nothing on the queue', async () => {
  const lab = await openQueueLab();
  const error = await errorOf(lab.connect({ waitTimeout: 0.2 }).generate('say one'));
  expect(error).toMatchObject({ code: 'TIMEOUT', message: 'No worker took the job in time' });
  expect(await lab.open().list()).toEqual([]);
});

it('runs a step in a shared folder in place', async () => {
  const lab = await openQueueLab();
  await lab.work();
  const provider = lab.connect({ workspace: 'shared' });
  const result = await provider.generate('sub/new.txt=made');
  expect(result.filesWritten).toEqual({});
  expect(existsSync(join(lab.workspace, 'sub/new.txt'))).toBe(true);
});

it('says that a worker has given the step back, and waits for the next one', async () => {
  const lab = await openQueueLab();
  const worker = await lab.work({ workerName: 'first' });
  const stop = new AbortController();
  const stream = lab.connect().stream('step=1 wait=60000', {}, { signal: stop.signal });
  const messages: string[] = [];
  const watching = (async () => {
    for await (const event of stream)
      if (event.type === 'session-status' && event.message !== undefined)
        messages.push(event.message);
  })();
  const failure = errorOf(watching);
  await untilRunning(worker);
  await worker.close({ drain: false });
  const back = 'Worker first has given the step back (the worker ends): it waits for a worker';
  await vi.waitUntil(() => messages.includes(back), 10_000);
  stop.abort();
  expect((await failure).code).toBe('CANCELLED');
  expect(await lab.open().list()).toEqual([]);
});
