import { describe, expect, it } from 'vitest';
import type { AgentEvent } from '../../../src/api/agent-event.js';
import { JobInbox } from '../../../src/queue/provider/job-inbox.js';
import { JobWatch } from '../../../src/queue/provider/job-watch.js';
import { openMemoryStore } from '../memory-store.js';
import { OPEN } from '../protocol/support.js';

const PROGRESS = {
  attempt: 1,
  worker: 'w1',
  host: 'h',
  startedAtMs: 1,
  waitMs: 2,
  lost: [],
  rateLimits: 0,
  rateLimitedMs: 0,
};
const delta = (text: string): AgentEvent => ({ type: 'text-delta', text, textKind: 'text' });

async function openInbox() {
  const memory = await openMemoryStore();
  const watch = new JobWatch(memory.store, OPEN, 1_000);
  const request = { id: 'j', queueName: 'q', watch, trust: OPEN, expiresAtMs: 20_000 };
  return { memory, inbox: new JobInbox({ ...request, store: memory.store }) };
}

describe('JobInbox', () => {
  it('says once that the step waits, and ends a step that no worker took in time', async () => {
    const { memory, inbox } = await openInbox();
    inbox.waiting();
    inbox.waiting();
    expect(inbox.take()).toMatchObject([{ type: 'session-status', waitsFor: 'queue' }]);
    memory.nowMs = 20_001;
    inbox.waiting();
    expect(inbox.end).toEqual({ kind: 'expired' });
  });

  it('names the worker once, and keeps events that come before it', async () => {
    const { inbox } = await openInbox();
    inbox.events({ attempt: 1, seq: 0, events: [delta('a')] });
    expect(inbox.take()).toEqual([]);
    inbox.assigned(PROGRESS);
    inbox.assigned(PROGRESS);
    const { attempt, worker, host, waitMs, lost } = PROGRESS;
    const assigned = { type: 'worker-assigned', jobId: 'j', attempt, worker, host, waitMs, lost };
    expect(inbox.take()).toEqual([assigned, delta('a')]);
  });

  it('drops events of an attempt that is over', async () => {
    const { inbox } = await openInbox();
    const lost = [{ attempt: 1, worker: 'w1', host: 'h' }];
    inbox.assigned({ ...PROGRESS, attempt: 2, lost });
    inbox.events({ attempt: 1, seq: 0, events: [delta('old')] });
    inbox.assigned(PROGRESS);
    expect(inbox.take()).toMatchObject([{ type: 'worker-assigned', attempt: 2, lost }]);
  });

  it('says once that a worker has given the step back, and why', async () => {
    const { inbox } = await openInbox();
    inbox.assigned(PROGRESS);
    inbox.take();
    const end = { kind: 'returned' as const, atMs: 5, reason: 'RATE_LIMITED' };
    inbox.assigned({ ...PROGRESS, end });
    inbox.assigned({ ...PROGRESS, end });
    expect(inbox.take()).toEqual([
      {
        type: 'session-status',
        status: 'waiting',
        waitsFor: 'queue',
        message: 'Worker w1 has given the step back (RATE_LIMITED): it waits for a worker',
      },
    ]);
    inbox.assigned({ ...PROGRESS, end: { kind: 'failed', atMs: 5 } });
    expect(inbox.take()).toEqual([]);
  });

  it('keeps the first end, and waits only while there is nothing to take', async () => {
    const { inbox } = await openInbox();
    const woken = inbox.wait();
    inbox.ended({ kind: 'gone' });
    inbox.ended({ kind: 'detached' });
    await woken;
    await inbox.wait();
    expect(inbox.end).toEqual({ kind: 'gone' });
  });
});
