import { describe, expect, it } from 'vitest';
import { packJob } from '../../../src/queue/protocol/envelope.js';
import { beginAttempt } from '../../../src/queue/protocol/job-progress.js';
import { packOutcome } from '../../../src/queue/protocol/outcome.js';
import { mapState } from '../../../src/queue/provider/map-job-info.js';
import {
  cleanJobs,
  drainJobs,
  listJobs,
  readQueueStatus,
} from '../../../src/queue/provider/queue-overview.js';
import { pauseQueues } from '../../../src/queue/worker/queue-pause.js';
import { openMemoryStore } from '../memory-store.js';
import { OPEN } from '../protocol/support.js';

function envelope(jobId: string, title: string) {
  return packJob(
    {
      jobId,
      title,
      createdAtMs: 1,
      expiresAtMs: 2,
      prompt: { text: title },
      options: {},
      labels: ['gpu'],
      workspace: { kind: 'shared', dir: '/w', identity: { inode: '1', birthMs: 1 } },
      keepMs: 1,
    },
    OPEN,
  );
}

function errorText(jobId: string): string {
  const job = { jobId, worker: 'w', host: 'h', attempt: 1, waitMs: 0, lost: [] };
  const error = { name: 'ProviderError', code: 'AUTH', message: 'm', hint: 'h', partial: {} };
  const content = { text: JSON.stringify({ error }) };
  return JSON.stringify(packOutcome('error', { job, content }, OPEN));
}

describe('listJobs', () => {
  it('shows all jobs although one was edited by hand to have no time', async () => {
    const { store, queue } = await openMemoryStore();
    const now = { worker: 'w', host: 'h', startedAtMs: 1e300, createdAtMs: 1 };
    queue().put('good', { data: envelope('good', 'one') });
    queue().put('odd', {
      data: envelope('odd', 'two'),
      timestamp: Number.NaN,
      finishedOn: -8.7e15,
      progress: beginAttempt(undefined, now),
    });
    const jobs = await listJobs(store, undefined, 10);
    expect(jobs.map(({ id }) => id).sort()).toEqual(['good', 'odd']);
    expect(jobs.find(({ id }) => id === 'odd')).toMatchObject({
      createdAt: '1970-01-01T00:00:00.000Z',
      startedAt: undefined,
      endedAt: undefined,
    });
  });

  it('describes jobs of all labels, the newest first', async () => {
    const { store, queue } = await openMemoryStore();
    await store.register(['gpu']);
    const progress = beginAttempt(undefined, {
      worker: 'w',
      host: 'h',
      startedAtMs: 2_000,
      createdAtMs: 1_000,
    });
    queue().put('old', { data: envelope('old', 'one'), timestamp: 1_000, progress });
    queue('q+gpu').put('gpu~new', {
      data: envelope('gpu~new', 'two'),
      timestamp: 3_000,
      state: 'failed',
      failedReason: errorText('gpu~new'),
      finishedOn: 4_000,
    });
    const jobs = await listJobs(store, undefined, 10);
    expect(jobs).toMatchObject([
      { id: 'gpu~new', state: 'failed', prompt: 'two', attempt: 0, error: { code: 'AUTH' } },
      { id: 'old', state: 'waiting', prompt: 'one', attempt: 1, worker: 'w', lost: [] },
    ]);
    expect(jobs[0]?.error).not.toHaveProperty('partial');
    expect(await listJobs(store, 'failed', 1)).toHaveLength(1);
  });

  it('shows a job of another program and an end that no worker has written', async () => {
    const { store, queue } = await openMemoryStore();
    queue().put('odd', {
      data: 7,
      state: 'failed',
      failedReason: 'job stalled more than allowable',
    });
    expect(await listJobs(store, undefined, 10)).toMatchObject([
      { prompt: '', error: { code: 'INCOMPLETE', message: expect.stringContaining('stalled') } },
    ]);
  });
});

describe('mapState', () => {
  it.each([
    ['wait', 'waiting'],
    ['prioritized', 'waiting'],
    ['active', 'active'],
    ['delayed', 'delayed'],
    ['completed', 'completed'],
    ['something new', 'waiting'],
  ])('%s is %s', (from, to) => {
    expect(mapState(from)).toBe(to);
  });
});

describe('readQueueStatus', () => {
  it('adds the counts of all labels, and has pause and notes', async () => {
    const { store, queue } = await openMemoryStore();
    await store.register(['gpu']);
    queue().put('a');
    queue('q+gpu').put('b', { state: 'active' });
    await pauseQueues(store, { code: 'RATE_LIMITED', message: 'm' }, 'w', 500);
    expect(await readQueueStatus(store)).toMatchObject({
      store: 'redis',
      url: 'redis://h',
      name: 'q',
      counts: { waiting: 1, active: 1, failed: 0 },
      requirements: [{ labels: [] }, { labels: ['gpu'], counts: { active: 1 } }],
      workers: [],
      pause: { code: 'RATE_LIMITED', until: '1970-01-01T00:00:10.500Z' },
      notes: ['a note'],
    });
  });
});

describe('drainJobs and cleanJobs', () => {
  it('remove waiting jobs, and old ended ones beyond those to keep', async () => {
    const memory = await openMemoryStore();
    const { store, queue } = memory;
    memory.nowMs = 100_000;
    queue().put('w');
    queue().put('running', { state: 'active' });
    for (const [id, finishedOn] of [
      ['a', 1],
      ['b', 2],
      ['c', 99_999],
    ] as const)
      queue().put(id, { state: 'completed', finishedOn });
    expect(await drainJobs(store)).toBe(1);
    expect(await cleanJobs(store, 60_000, 2)).toBe(1);
    expect([...queue().jobs.keys()]).toEqual(['running', 'b', 'c']);
    expect(await cleanJobs(store, 60_000, 0)).toBe(1);
    expect(await cleanJobs(store, 0, 0)).toBe(1);
  });
});
