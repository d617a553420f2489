import { mkdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { AgentEvent } from '../../../src/api/agent-event.js';
import { ProviderError } from '../../../src/base/errors/provider-error.js';
import { packJob, renewJob } from '../../../src/queue/protocol/envelope.js';
import { parseProgress } from '../../../src/queue/protocol/job-progress.js';
import { unpackOutcome } from '../../../src/queue/protocol/outcome.js';
import { PROTOCOL } from '../../../src/queue/protocol/version.js';
import { identify } from '../../../src/queue/worker/open-workspace.js';
import { JobProcessing } from '../../../src/queue/worker/process-job.js';
import type { StepWorkerEvent } from '../../../src/queue/worker/step-worker-event.js';
import { parseWorkerSettings } from '../../../src/queue/worker/worker-settings.js';
import { makeTree } from '../../base/fs/make-tree.js';
import { scriptedResult, UNUSED_METHODS } from '../../batch/run/scripted-result.mjs';
import { openMemoryStore } from '../memory-store.js';
import { OPEN } from '../protocol/support.js';

const TOKENS = { total: 7, input: 5, output: 2, cached: 0, thoughts: 0, tool: 0 };
type Act = (signal: AbortSignal | undefined) => void | Promise<void>;

async function openLab(act: Act = () => {}, options: object = {}) {
  const memory = await openMemoryStore();
  const dir = makeTree({ 'a.txt': 'a' });
  const result = {
    ...scriptedResult({ text: 'done', files: [], tokens: TOKENS, context: {} }),
    generationId: 'of the worker',
  };
  const provider = {
    ...UNUSED_METHODS,
    async *stream(
      _prompt: string,
      _context: object,
      { signal }: { signal?: AbortSignal },
    ): AsyncGenerator<AgentEvent> {
      yield { type: 'text-delta', text: 'done', textKind: 'text' };
      await act(signal);
      yield { type: 'turn-complete', subtype: 'success', isError: false, result };
    },
  };
  const queue = { queue: 'redis://127.0.0.1', name: 'q', provider, workerName: 'w' };
  const events: StepWorkerEvent[] = [];
  const processing = new JobProcessing({
    store: memory.store,
    settings: parseWorkerSettings({ ...queue, ...options }),
    // @ts-expect-error: the provider has only the members that a worker uses.
    provider,
    onEvent: (event) => events.push(event),
  });
  const put = (more: object = {}) => {
    const envelope = {
      jobId: 'j',
      title: 'a prompt',
      createdAtMs: 9_000,
      expiresAtMs: 20_000,
      prompt: { text: 'a prompt' },
      options: {},
      labels: [],
      workspace: { kind: 'shared' as const, dir, identity: identify(dir) },
      keepMs: 1_000,
      ...more,
    };
    return memory.queue().put('j', { data: packJob(envelope, OPEN), timestamp: 9_000 });
  };
  return { memory, processing, put, events, dir };
}

/** Returns what a job failed with: the error of BullMQ, and the one of the step in it. */
async function failureOf(processed: Promise<unknown>) {
  const thrown = await processed.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!(thrown instanceof Error)) throw new Error('The job did not fail');
  const outcome = unpackOutcome('error', 'j', thrown.message, OPEN);
  const text = outcome && 'text' in outcome.content ? outcome.content.text : '{}';
  return { thrown, error: JSON.parse(text).error };
}

describe('a job', () => {
  it('succeeds: its value has the result, its progress the worker, and its events come with it', async () => {
    const { memory, processing, put, events } = await openLab();
    const job = put();
    const value = await processing.process(job, 'token');
    const outcome = unpackOutcome('result', 'j', value, OPEN);
    expect(outcome?.job).toEqual({
      jobId: 'j',
      worker: 'w',
      host: expect.any(String),
      attempt: 1,
      waitMs: 1_000,
      lost: [],
    });
    const content = outcome && 'text' in outcome.content ? JSON.parse(outcome.content.text) : {};
    const tail = { attempt: 1, seq: 0, events: [{ type: 'text-delta', text: 'done' }] };
    expect(content).toMatchObject({ result: { text: 'done' }, sent: 1, tail });
    expect(memory.published).toHaveLength(0);
    expect(parseProgress(job.progress)).toMatchObject({ attempt: 1, worker: 'w' });
    expect(events.map(({ type }) => type)).toEqual(['job-started', 'job-finished']);
    expect(processing.running.size).toBe(0);
  });

  it('fails for good with an error that is not retryable, and its attempt is not lost', async () => {
    const { processing, put } = await openLab(() => {
      throw new ProviderError({ code: 'API_REQUEST', message: 'no' });
    });
    const job = put();
    const { thrown, error } = await failureOf(processing.process(job, 'token'));
    expect(thrown.name).toBe('UnrecoverableError');
    expect(error).toMatchObject({ code: 'API_REQUEST', message: 'no' });
    expect(parseProgress(job.progress)?.end).toEqual({ kind: 'failed', atMs: 10_000 });
    const again = await failureOf(processing.process(job, 'token'));
    expect(again.error.code).toBe('API_REQUEST');
    expect(parseProgress(job.progress)).toMatchObject({ attempt: 2, lost: [] });
  });

  it('may be tried again after a retryable error', async () => {
    const { processing, put } = await openLab(() => {
      throw new ProviderError({ code: 'NETWORK', message: 'cut' });
    });
    const { thrown } = await failureOf(processing.process(put(), 'token'));
    expect(thrown.name).toBe('Error');
  });

  it('is given back after a rate limit, which pauses the queue, up to a limit', async () => {
    const { memory, processing, put, events } = await openLab(
      () => {
        throw new ProviderError({ code: 'RATE_LIMITED', message: 'slow', retryAfterMs: 500 });
      },
      { maxRateLimits: 1 },
    );
    const job = put();
    await expect(processing.process(job, 'token')).rejects.toThrow('bullmq:rateLimitExceeded');
    const end = { kind: 'returned', atMs: 10_000, reason: 'RATE_LIMITED' };
    expect(parseProgress(job.progress)).toMatchObject({ rateLimits: 1, rateLimitedMs: 500, end });
    expect(memory.queue().requests).toContain('rateLimit 500');
    expect(events.map((event) => ('outcome' in event ? event.outcome : event.type))).toEqual([
      'job-started',
      'queue-paused',
      'returned',
    ]);
    const { error } = await failureOf(processing.process(job, 'token'));
    expect(error.code).toBe('RATE_LIMITED');
  });

  it('is refused: expired, cancelled, above the ceiling, of a folder that is not there, or no job at all', async () => {
    const { memory, processing, put, dir } = await openLab();
    const codeOf = async (job: ReturnType<typeof put>) =>
      (await failureOf(processing.process(job, 'token'))).error;
    expect(await codeOf(put({ expiresAtMs: 9_500 }))).toMatchObject({
      code: 'TIMEOUT',
      phase: 'start',
    });
    expect((await codeOf(put({ options: { approvalMode: 'yolo' } }))).code).toBe('INVALID_CONFIG');
    expect((await codeOf(put({ options: { env: {} } }))).code).toBe('INVALID_CONFIG');
    const identity = { inode: '1', birthMs: 2 };
    const elsewhere = { kind: 'shared', dir, identity };
    expect((await codeOf(put({ workspace: elsewhere }))).message).toContain('is another folder');
    const missing = { ...elsewhere, dir: `${dir}/missing` };
    expect((await codeOf(put({ workspace: missing }))).message).toContain('is not there');
    mkdirSync(`${dir}/sub`);
    const cancelled = put();
    cancelled.data = { ...cancelled.data, cancelled: { reason: 'by hand' } };
    expect(await codeOf(cancelled)).toMatchObject({
      code: 'CANCELLED',
      message: 'The job was cancelled before it ran: by hand',
    });
    const unknown = { kind: 'ship', dir, shipped: { of: 'a later version' } };
    expect((await codeOf(put({ workspace: unknown }))).message).toContain('does not understand');
    const odd = memory.queue().put('j', { data: { text: '{}' } });
    expect((await codeOf(odd)).message).toContain('is not from this package');
  });

  it('is handed back when the worker ends, cancelled with its reason, and void when its lock is lost', async () => {
    let processing: JobProcessing | undefined;
    const ends = [
      { kind: 'returned' },
      { kind: 'cancelled', reason: 'by hand' },
      { kind: 'lost', why: 'the job was taken' },
    ] as const;
    let index = 0;
    const lab = await openLab(() => {
      const end = ends[index++];
      if (end !== undefined) processing?.running.end('j', end);
      throw new ProviderError({ code: 'CANCELLED', message: 'aborted' });
    });
    ({ processing } = lab);
    const job = lab.put();
    await expect(processing.process(job, 'token')).rejects.toMatchObject({ name: 'WaitingError' });
    expect(job.calls).toEqual(['updateProgress', 'updateProgress', 'moveToWait']);
    expect(parseProgress(job.progress)?.end).toMatchObject({
      kind: 'returned',
      reason: 'the worker ends',
    });
    const { error } = await failureOf(processing.process(job, 'token'));
    expect(error.message).toBe('The job was cancelled: by hand');
    await expect(processing.process(job, 'token')).rejects.toMatchObject({ name: 'WaitingError' });
    // A lost job is left alone: another worker may have it.
    expect(job.calls.slice(-2)).toEqual(['updateProgress', 'updateProgress']);
    expect(lab.events.at(-1)).toMatchObject({ outcome: 'lost' });
  });
});

it('renewJob: a job that is tried again has its whole time, and is not cancelled any more', async () => {
  const { put } = await openLab();
  const job = put();
  job.data = { ...job.data, cancelled: { reason: 'x' } };
  const renewed = renewJob('j', job.data, OPEN, 50_000);
  expect(renewed).not.toHaveProperty('cancelled');
  expect(JSON.parse(renewed.text)).toMatchObject({
    createdAtMs: 50_000,
    expiresAtMs: 61_000,
    protocol: PROTOCOL,
  });
});
