import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { AgentEvent } from '../../../src/api/agent-event.js';
import { ProviderError } from '../../../src/base/errors/provider-error.js';
import { Takeover } from '../../../src/base/process/takeover.js';
import { packEvents } from '../../../src/queue/protocol/event-batch.js';
import { beginAttempt } from '../../../src/queue/protocol/job-progress.js';
import { packOutcome } from '../../../src/queue/protocol/outcome.js';
import { writePayload } from '../../../src/queue/protocol/payload.js';
import { type FollowSignals, followJob } from '../../../src/queue/provider/follow-job.js';
import { JobWatch } from '../../../src/queue/provider/job-watch.js';
import { openMemoryStore } from '../memory-store.js';
import { OTHER_SECRET, SIGNED } from '../protocol/support.js';

const JOB = { jobId: 'j', worker: 'w', host: 'h', attempt: 1, waitMs: 0, lost: [] };
const delta = (text: string): AgentEvent => ({ type: 'text-delta', text, textKind: 'text' });

async function openLab() {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const memory = await openMemoryStore();
  const watch = new JobWatch(memory.store, SIGNED, 1_000);
  onTestFinished(() => watch.close());
  await watch.listen('q');
  const job = memory.queue().put('j');
  const { store, blobs } = memory;
  const request = { id: 'j', queueName: 'q', store, watch, trust: SIGNED, expiresAtMs: 50_000 };
  const follow = async (signals: FollowSignals = {}, isNew = false) => {
    const events: AgentEvent[] = [];
    const stream = followJob({ ...request, isNew }, signals);
    for (;;) {
      const next = await stream.next();
      if (next.done === true) return { events, end: next.value };
      events.push(next.value);
    }
  };
  const finish = async (content: object, trust = SIGNED): Promise<void> => {
    const payload = await writePayload(JSON.stringify(content), blobs, 1);
    const value = packOutcome('result', { job: JOB, content: payload }, trust);
    Object.assign(job, { finishedOn: 5, returnvalue: value });
    memory.emit('completed', { jobId: 'j', returnvalue: value });
  };
  return { memory, job, follow, finish };
}

const textOf = (events: readonly AgentEvent[]) =>
  events.map((event) => (event.type === 'text-delta' ? event.text : '')).join('');

describe('followJob', () => {
  it('gives the text of the result although events are lost, and says how many', async () => {
    const { memory, job, follow, finish } = await openLab();
    job.progress = beginAttempt(undefined, {
      worker: 'w',
      host: 'h',
      startedAtMs: 1,
      createdAtMs: 0,
    });
    const following = follow();
    await vi.advanceTimersByTimeAsync(1_000);
    const send = (seq: number, text: string) =>
      memory.emit('agent', packEvents('j', { attempt: 1, seq, events: [delta(text)] }, SIGNED));
    send(0, 'one ');
    send(2, 'three ');
    await vi.advanceTimersByTimeAsync(0);
    await finish({ result: { text: 'one two three four', files: [] }, sent: 4 });
    await vi.advanceTimersByTimeAsync(2_000);
    const { events, end } = await following;
    expect(textOf(events)).toBe('one two three four');
    expect(events.at(-1)).toMatchObject({
      message: '2 events were lost between worker and caller. The result is complete.',
    });
    expect(end.result?.text).toBe('one two three four');
  });

  it('asks the store nothing about a job that was added just now', async () => {
    const { memory, follow, finish } = await openLab();
    const following = follow({}, true);
    await vi.advanceTimersByTimeAsync(0);
    await finish({ result: { text: 'x', files: [] }, sent: 0 });
    const { events, end } = await following;
    expect(events.map(({ type }) => type)).toEqual(['session-status', 'worker-assigned']);
    expect(end.result?.text).toBe('x');
    expect(memory.queue().requests).toEqual([]);
  });

  it('answers a new job at once whose end was announced before the job was followed', async () => {
    const { memory, follow, finish } = await openLab();
    await finish({ result: { text: 'x', files: [] }, sent: 0 });
    for (let other = 0; other < 999; other++) memory.emit('failed', { jobId: `other${other}` });
    expect((await follow({}, true)).end.result?.text).toBe('x');
  });

  it('finds the end of a new job by the timer if its announcement was forgotten or lost', async () => {
    const { memory, follow, finish } = await openLab();
    await finish({ result: { text: 'x', files: [] }, sent: 0 });
    for (let other = 0; other < 1_001; other++) memory.emit('failed', { jobId: `other${other}` });
    const following = follow({}, true);
    await vi.advanceTimersByTimeAsync(1_000);
    expect((await following).end.result?.text).toBe('x');
  });

  it('takes a large result from its blobs, and the messages of the session before the end', async () => {
    const { follow, finish } = await openLab();
    const text = 'x'.repeat(100_000);
    const messages = { type: 'session-messages', messages: [] };
    await finish({ result: { text, files: [] }, messages, sent: 0 });
    const { events, end } = await follow();
    expect(end.result?.text).toHaveLength(100_000);
    expect(events.map(({ type }) => type)).toEqual(['worker-assigned', 'session-messages']);
  });

  it('refuses a result with a signature of another secret', async () => {
    const { follow, finish } = await openLab();
    await finish({ result: { text: 'forged', files: [] } }, OTHER_SECRET);
    await expect(follow()).rejects.toMatchObject({ code: 'INVALID_CONFIG' });
  });

  it('refuses a result whose blob was replaced', async () => {
    const { memory, follow, finish } = await openLab();
    await finish({ result: { text: 'x'.repeat(100_000), files: [] } });
    for (const key of memory.blobs.blobs.keys()) memory.blobs.blobs.set(key, Buffer.from('{}'));
    await expect(follow()).rejects.toMatchObject({ code: 'INCOMPLETE' });
  });

  it.each([
    [{ error: new ProviderError({ code: 'AUTH', message: 'no' }).toJSON() }, 'AUTH'],
    [{ error: { code: 'FROM_THE_FUTURE' } }, 'PROTOCOL'],
    [{ result: { text: 7 } }, 'PROTOCOL'],
    [{}, 'PROTOCOL'],
    [['__proto__'], 'PROTOCOL'],
  ])('the content %j is %s', async (content, code) => {
    const { follow, finish } = await openLab();
    await finish(content);
    expect((await follow()).end.error?.code).toBe(code);
  });

  it('explains a job that is gone, and one that BullMQ has given up', async () => {
    const gone = await openLab();
    gone.memory.queue().jobs.clear();
    expect((await gone.follow()).end.error).toMatchObject({
      code: 'CANCELLED',
      message: /removed/,
    });
    const { job, follow } = await openLab();
    Object.assign(job, { finishedOn: 5, failedReason: 'job stalled more than allowable limit' });
    expect((await follow()).end.error).toMatchObject({
      code: 'INCOMPLETE',
      message: expect.stringContaining('stalled more than'),
    });
  });

  it('leaves a job on the queue when the caller detaches', async () => {
    const { follow } = await openLab();
    const left = new AbortController();
    const following = follow({ detached: left.signal });
    left.abort();
    expect((await following).end.error?.message).toContain('left the job on the queue');
    expect(vi.getTimerCount()).toBe(0);
  });

  it('leaves a job to another process that has taken the step over', async () => {
    const { follow } = await openLab();
    const cancelled = new AbortController();
    const following = follow({ cancelled: cancelled.signal });
    cancelled.abort(new Takeover());
    expect((await following).end.error?.message).toContain('left the job on the queue');
    expect(vi.getTimerCount()).toBe(0);
  });

  it('does not wait for ever for a worker that does not confirm a cancel', async () => {
    const { follow } = await openLab();
    const cancelled = new AbortController();
    const following = follow({ cancelled: cancelled.signal });
    cancelled.abort();
    await vi.advanceTimersByTimeAsync(10_000);
    expect((await following).end.error?.message).toContain('has given no answer yet');
  });
});
