import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { type AgentEvent, type GenerateContext, ProviderError } from 'gemini-cli-provider';
import { createStepProcessor } from 'gemini-cli-provider/queue';
import { describe, expect, test, vi } from 'vitest';
import { createQueueAgent } from '../programs/queue-agent.mjs';
import { read } from '../support.js';
import { openBullQueue, openBullWorker } from './bull.js';
import { openQueueLab, type QueueLab } from './queue-lab.js';
import { listStores } from './servers.js';

const { stores } = listStores();

async function failureOf(promise: Promise<unknown>): Promise<ProviderError> {
  const outcome = await promise.catch((error: unknown) => error);
  if (ProviderError.isInstance(outcome)) return outcome;
  throw new Error(`A ProviderError was expected: ${JSON.stringify(outcome)}`);
}

function untilRunning({ runs }: QueueLab, prompt: string): Promise<boolean> {
  return vi.waitUntil(() => readFileSync(runs, 'utf8').includes(prompt), 20_000);
}

async function collect(stream: AsyncIterable<AgentEvent>): Promise<AgentEvent[]> {
  const events: AgentEvent[] = [];
  for await (const event of stream) events.push(event);
  return events;
}

describe.each(stores)('%s', (store) => {
  test('a cancel removes a waiting job, and ends a running one with its partial output', async () => {
    const lab = await openQueueLab(store);
    const queue = lab.open();
    const provider = lab.connect();
    const early = new AbortController();
    const waiting = failureOf(provider.generate('step=1', {}, { signal: early.signal }));
    await vi.waitUntil(async () => (await queue.status()).counts.waiting === 1, 10_000);
    early.abort();
    expect((await waiting).code).toBe('CANCELLED');
    await vi.waitUntil(async () => (await queue.status()).counts.waiting === 0, 10_000);

    await lab.work();
    const late = new AbortController();
    const running = failureOf(provider.generate('a.txt=x wait=60000', {}, { signal: late.signal }));
    await untilRunning(lab, 'a.txt=x');
    late.abort(new Error('no longer wanted'));
    const error = await running;
    expect(error).toMatchObject({ code: 'CANCELLED', partial: { files: [{ path: 'a.txt' }] } });
    expect(error.message).toContain('no longer wanted');
    expect(error.partial?.job?.worker).not.toBe('');

    const { id } = await queue.enqueue('step=3 wait=60000');
    await untilRunning(lab, 'step=3');
    // On Redis, BullMQ keeps the settings of the queue under this name beside the jobs.
    expect((await failureOf(queue.cancel('meta'))).code).toBe('INVALID_INPUT');
    expect(await queue.cancel(id, 'by\0 hand\u001b[2J')).toBe(true);
    const cancelled = await failureOf(queue.result(id));
    expect(cancelled.message).toBe('The job was cancelled: by hand');
    expect(await queue.cancel(id)).toBe(false);
    expect(await queue.show(id)).toMatchObject({ state: 'failed', isCancelled: true });
  });

  test('RATE_LIMITED pauses all workers, uses up no attempt, and loses no attempt', async () => {
    const lab = await openQueueLab(store);
    await lab.work({ workerName: 'one', concurrency: 1 });
    await lab.work({ workerName: 'two', concurrency: 1 });
    const shown = await collect(lab.connect().stream(`fail=RATE_LIMITED once ${store}`));
    const end = shown.at(-1);
    expect(end?.type === 'turn-complete' && end.result?.job).toMatchObject({
      attempt: 2,
      lost: [],
    });
    const waits = shown.filter(({ type }) => type === 'session-status');
    expect(JSON.stringify(waits)).toMatch(/has given the step back \(RATE_LIMITED\)/);
  });

  test('a job whose rate limits reach the cap fails; QUOTA_EXHAUSTED pauses until `resume`', async () => {
    const lab = await openQueueLab(store);
    await lab.work({ maxRateLimits: 0 });
    const provider = lab.connect();
    expect((await failureOf(provider.generate('fail=RATE_LIMITED'))).code).toBe('RATE_LIMITED');
    await sleep(700);
    const spent = await failureOf(provider.generate('fail=QUOTA_EXHAUSTED'));
    expect(spent.code).toBe('QUOTA_EXHAUSTED');
    const queue = lab.open();
    expect((await queue.status()).pause?.code).toBe('QUOTA_EXHAUSTED');
    const waiting = provider.generate('step=after');
    expect(await Promise.race([waiting, sleep(600, 'waits')])).toBe('waits');
    await queue.resume();
    expect((await waiting).text).toBe('said step=after');
  });

  test('AUTH stops one worker, a full disk gives the step back, and another worker goes on', async () => {
    const lab = await openQueueLab(store);
    await lab.work({ workerName: 'no-login' });
    const provider = lab.connect({ workspace: 'ship' });
    expect((await failureOf(provider.generate('fail=AUTH'))).code).toBe('AUTH');
    const queue = lab.open();
    await vi.waitUntil(async () => (await queue.status()).workers[0]?.state === 'stopped', 10_000);
    expect((await queue.status()).workers[0]?.reason).toBe('as asked: AUTH');

    const full = createQueueAgent();
    const stream = (_: string, context: GenerateContext, options: { workingDir: string }) =>
      full.stream('full=1', context, options);
    // @ts-expect-error: the agent has only the members that a worker uses.
    const first = await lab.work({ workerName: 'full', provider: { ...full, stream } });
    const running = provider.generate('a.txt=x');
    await vi.waitUntil(() => first.stats().state === 'stopped', 10_000);
    expect(first.stats().reason).toContain('write');
    await lab.work({ workerName: 'other' });
    expect((await running).job).toMatchObject({ worker: 'other', lost: [] });
    expect(read(lab.workspace, 'a.txt')).toBe('x\n');
  });

  test('a worker takes steps whose labels it has; without drain, its job goes back and is not lost', async () => {
    const lab = await openQueueLab(store);
    await lab.work({ workerName: 'plain' });
    const provider = lab.connect({ labels: 'gpu' });
    const running = provider.generate('step=labelled');
    await sleep(500);
    expect(readFileSync(lab.runs, 'utf8')).toBe('');
    const agent = createQueueAgent(lab.runs);
    const stream = (prompt: string, context: GenerateContext, options: { workingDir: string }) =>
      agent.stream(`${prompt} wait=60000`, context, options);
    const labels = ['gpu', 'linux'];
    // @ts-expect-error: the agent has only the members that a worker uses.
    const first = await lab.work({ workerName: 'same', labels, provider: { ...agent, stream } });
    await untilRunning(lab, 'step=labelled');
    await lab.work({ workerName: 'same', labels: 'gpu' });
    const queue = lab.open();
    const { workers } = await queue.status();
    expect(workers.map(({ name }) => name).sort()).toEqual(['plain', 'same', 'same']);
    expect(new Set(workers.map(({ id }) => id)).size).toBe(3);
    await first.close({ drain: false });
    expect((await running).job).toMatchObject({ worker: 'same', attempt: 2, lost: [] });
  });

  test('StepQueue enqueues, lists, shows, retries, drains and cleans', async () => {
    const lab = await openQueueLab(store);
    const queue = lab.open();
    const first = await queue.enqueue(`fail=API_REQUEST once ${store}`, { idempotencyKey: 'k' });
    expect(first.isNew).toBe(true);
    expect(await queue.enqueue('other', { idempotencyKey: 'k' })).toEqual({
      id: first.id,
      isNew: false,
    });
    expect((await queue.list({ state: 'waiting' })).map(({ id }) => id)).toEqual([first.id]);
    await lab.work();
    expect((await failureOf(queue.result(first.id))).code).toBe('API_REQUEST');
    const failed = await queue.show(first.id);
    expect(failed).toMatchObject({ state: 'failed', attempt: 1, error: { code: 'API_REQUEST' } });
    await queue.retry(first.id);
    expect(await queue.result(first.id)).toMatchObject({ job: { attempt: 2, lost: [] } });
    await expect(queue.retry(first.id)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    await expect(queue.show('nothing')).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    expect(await queue.clean({ keep: 1 })).toBe(0);
    expect(await queue.clean()).toBe(1);
    await queue.enqueue('step=x', {}, { labels: 'nowhere' });
    expect(await queue.drain()).toBe(1);
    expect((await queue.status()).counts).toMatchObject({ waiting: 0, completed: 0, failed: 0 });
  });

  test('a job that has waited too long fails, and a retry gives it its whole time again', async () => {
    const lab = await openQueueLab(store);
    const caller = lab.connect({ waitTimeout: '1s', detach: true });
    const context = { idempotencyKey: 'late' };
    expect((await failureOf(caller.generate('step=late', context))).code).toBe('TIMEOUT');
    await lab.work();
    const queue = lab.open();
    await vi.waitUntil(async () => (await queue.list({ state: 'failed' })).length === 1, 10_000);
    const [job] = await queue.list({ state: 'failed' });
    expect(job?.error?.message).toBe('No worker took the job within 1 s');
    await queue.retry(job?.id ?? '');
    expect((await queue.result(job?.id ?? '')).text).toBe('said step=late');
  });

  test('a worker refuses jobs without its secret, of another queue, and of another version', async () => {
    const lab = await openQueueLab(store);
    const secret = 'a secret of both sides';
    await lab.work({ secret });
    const unsigned = await failureOf(lab.connect().generate('step=unsigned'));
    // The caller without the secret cannot check the error either.
    expect(unsigned.code).toBe('INVALID_CONFIG');
    expect((await lab.connect({ secret }).generate('step=signed')).text).toBe('said step=signed');

    const elsewhere = lab.open({ secret, name: `${lab.name}-other` });
    const { id } = await elsewhere.enqueue('step=stolen');
    const stolen = await openBullQueue(lab.url, `${lab.name}-other`).getJob(id);
    await openBullQueue(lab.url, lab.name).add('step', stolen?.data, { jobId: id });
    const queue = lab.open({ secret });
    const error = await failureOf(queue.result(id));
    expect(error.message).toMatch(/has a signature of another secret or for another queue/);
    const text = JSON.stringify({ protocol: { major: 2, minor: 0 } });
    const open = await openQueueLab(store);
    await open.work();
    await openBullQueue(open.url, open.name).add('step', { text }, { jobId: 'newer' });
    const newer = await failureOf(open.open().result('newer'));
    expect(newer.message).toMatch(/The caller speaks version 2\.0 .* this worker version 1\.\d/);
    expect(readFileSync(lab.runs, 'utf8')).toBe('step=signed\n');
  });

  test('the bare processor runs the steps of a worker that the application has made', async () => {
    const lab = await openQueueLab(store);
    const options = { queue: lab.url, name: lab.name, workerName: 'own' };
    // @ts-expect-error: the agent has only the members that a worker uses.
    const processor = createStepProcessor(createQueueAgent(lab.runs), options);
    openBullWorker(lab.url, lab.name, processor);
    expect((await lab.connect().generate('a.txt=x')).job?.worker).toBe('own');
  });
});
