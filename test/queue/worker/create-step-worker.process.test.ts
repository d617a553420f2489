import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import { createQueueAgent } from '../../../integration/programs/queue-agent.mjs';
import type { Logger } from '../../../src/api/logger.js';
import type { GenerateContext } from '../../../src/api/response-provider.js';
import { createStepWorker } from '../../../src/queue/worker/create-step-worker.js';
import { errorOf, openQueueLab, scriptedAgent, untilJob, untilRunning } from '../queue-lab.js';

it('describes itself, finishes what it has when it is drained, and says that it has ended', async () => {
  const lab = await openQueueLab();
  const worker = await lab.work({ workerName: 'w', labels: ['b', 'a', 'b'], concurrency: 3 });
  expect(worker.name).toBe('w');
  expect(worker.stats()).toMatchObject({
    name: 'w',
    labels: ['a', 'b'],
    concurrency: 3,
    running: 0,
    state: 'ready',
    pid: process.pid,
  });
  const queue = lab.open();
  const { id } = await queue.enqueue('step=1 wait=300');
  await untilRunning(worker);
  const closing = worker.close();
  expect(worker.stats().state).toBe('draining');
  await Promise.all([closing, worker.closed, worker[Symbol.asyncDispose]()]);
  expect((await queue.show(id)).state).toBe('completed');
  expect(worker.stats()).toMatchObject({ succeeded: 1, failed: 0, running: 0 });
  expect((await queue.status()).workers).toEqual([]);
  const ends = worker.events.map((event) => ('outcome' in event ? event.outcome : event.type));
  expect(ends).toEqual(['ready', 'job-started', 'draining', 'succeeded', 'closed']);
});

it('gives a step back whose time to finish is over, and the step uses up no attempt', async () => {
  const lab = await openQueueLab();
  const worker = await lab.work({ workerName: 'first' });
  const queue = lab.open();
  const { id } = await queue.enqueue('step=1 wait=60000');
  await untilRunning(worker);
  await worker.close({ limit: 0.1 });
  const job = await untilJob(queue, id, 'waiting');
  expect(job).toMatchObject({ attempt: 1, worker: 'first', lost: [] });
  expect(worker.stats()).toMatchObject({ succeeded: 0, failed: 0 });
});

it('takes the jobs that ask for its labels, also for labels that come later, and no others', async () => {
  const lab = await openQueueLab();
  const worker = await lab.work({ labels: ['gpu', 'big'], concurrency: 1 });
  const queue = lab.open();
  const other = await queue.enqueue('say one', {}, { labels: 'cpu' });
  const plain = await queue.enqueue('say two');
  const own = await queue.enqueue('say three', {}, { labels: ['gpu'] });
  await untilJob(queue, plain.id, 'completed');
  await untilJob(queue, own.id, 'completed');
  expect((await queue.show(other.id)).state).toBe('waiting');
  expect(worker.stats().succeeded).toBe(2);
});

it('takes no more steps after a login that was refused', async () => {
  const lab = await openQueueLab();
  const worker = await lab.work();
  const queue = lab.open();
  const failed = await queue.enqueue('fail=AUTH');
  expect((await errorOf(queue.result(failed.id))).code).toBe('AUTH');
  await vi.waitUntil(() => worker.stats().state === 'stopped', 10_000);
  expect(worker.stats().reason).toBe('as asked: AUTH');
  expect(worker.events.at(-1)).toEqual({
    type: 'admission-stopped',
    code: 'AUTH',
    message: 'as asked: AUTH',
  });
  const next = await queue.enqueue('say one');
  await sleep(200);
  expect((await queue.show(next.id)).state).toBe('waiting');
});

it('gives a step back when its disk is full, and names the time at which it goes on', async () => {
  const lab = await openQueueLab();
  const agent = createQueueAgent();
  const stream = (_: string, context: GenerateContext, options: { workingDir: string }) =>
    agent.stream('full=1', context, options);
  // @ts-expect-error: the agent has only the members that a worker uses.
  const worker = await lab.work({ workerName: 'full', provider: { ...agent, stream } });
  const queue = lab.open({ workspace: 'ship' });
  const { id } = await queue.enqueue('a.txt=x');
  await vi.waitUntil(() => worker.stats().state === 'stopped', 10_000);
  expect(worker.events.at(-1)).toMatchObject({
    type: 'admission-stopped',
    until: expect.stringMatching(/^\d{4}-/),
  });
  expect(await untilJob(queue, id, 'waiting')).toMatchObject({ worker: 'full', lost: [] });
});

it('goes on when a listener throws, and writes that to the log', async () => {
  const lab = await openQueueLab();
  const logged: string[] = [];
  const note = (_: unknown, text: unknown) => void logged.push(String(text));
  const logger: Logger = { debug: note, info: note, warn: note, error: note };
  const onEvent = () => {
    throw new Error('of the listener');
  };
  const worker = await lab.work({ onEvent, logger });
  const queue = lab.open();
  const { id } = await queue.enqueue('say one');
  expect((await queue.result(id)).text).toBe('said say one');
  // The caller may have the result before the worker hears that the store has it.
  await vi.waitUntil(() => worker.stats().succeeded === 1, 10_000);
  expect(logged).toContain('onEvent has thrown an error');
  expect(logged).toContain('Worker: job-started');
});

it('refuses options that are wrong, and a store that is not there', async () => {
  const lab = await openQueueLab();
  const agent = scriptedAgent();
  const wrong = { ...lab.connection, ...agent, concurrency: 0 };
  expect((await errorOf(createStepWorker(wrong))).message).toContain('concurrency');
  const away = { queue: 'postgres://127.0.0.1:1/x', connectTimeout: 0.2, ...agent };
  const connections: unknown[] = [];
  const onEvent = (event: object) => connections.push(event);
  const error = await errorOf(createStepWorker({ ...away, onEvent }));
  expect(error).toMatchObject({ code: 'NETWORK' });
  expect(error.message).toContain('postgres://127.0.0.1:1/x cannot be reached');
  expect(connections).toMatchObject([{ type: 'store-connection', isConnected: false }]);
  const worker = await lab.work();
  // @ts-expect-error: wrong on purpose.
  expect((await errorOf(worker.close({ drain: 'no' }))).message).toContain('drain');
  expect(worker.stats().state).toBe('ready');
});
