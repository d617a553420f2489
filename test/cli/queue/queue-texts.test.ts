import { expect, it } from 'vitest';
import { ProviderError } from '../../../src/base/errors/provider-error.js';
import { PLAIN } from '../../../src/cli/output/output.js';
import { findJob } from '../../../src/cli/queue/queue-job.js';
import { describeJob, describeJobRow, describeQueue } from '../../../src/cli/queue/queue-texts.js';
import { describeWorkersFor } from '../../../src/cli/queue/queued-steps.js';
import type { JobInfo, QueueStatus, WorkerInfo } from '../../../src/queue/job-info.js';

const nowMs = Date.UTC(2026, 0, 1, 12, 0, 0);
const at = (seconds: number): string => new Date(nowMs + seconds * 1000).toISOString();
const counts = { waiting: 2, active: 1, delayed: 0, completed: 5, failed: 1 };

function aWorker(more: Partial<WorkerInfo> = {}): WorkerInfo {
  return {
    id: 'i',
    name: 'w1',
    host: 'h1',
    pid: 7,
    labels: [],
    concurrency: 4,
    running: 1,
    succeeded: 5,
    failed: 0,
    state: 'ready',
    version: '0.2.0',
    protocol: '1.0',
    startedAt: at(-60),
    ...more,
  };
}

function aStatus(more: Partial<QueueStatus> = {}): QueueStatus {
  return {
    store: 'redis',
    url: 'redis://store:6379',
    name: 'steps',
    counts,
    requirements: [{ labels: [], counts }],
    workers: [aWorker()],
    notes: [],
    ...more,
  };
}

function aJob(more: Partial<JobInfo> = {}): JobInfo {
  const id = '3f9a0b1c2d3e4f50';
  const base = { id, state: 'waiting' as const, prompt: 'Fix\u001b[31m it', labels: [] };
  return { ...base, createdAt: at(-90), attempt: 0, lost: [], isCancelled: false, ...more };
}

it('the status has store, counts, workers and what waits in vain', () => {
  const requirements = [{ labels: ['gpu'], counts: { ...counts, waiting: 3 } }];
  const workers = [aWorker(), aWorker({ name: 'w2', state: 'stopped', reason: 'login refused' })];
  const pause = { code: 'RATE_LIMITED' as const, message: '429', worker: 'w1', until: at(30) };
  const text = describeQueue(aStatus({ requirements, workers, pause }), PLAIN, nowMs);
  expect(text).toEqual([
    'steps at redis://store:6379',
    'Jobs: 2 waiting · 1 active · 0 delayed · 5 completed · 1 failed',
    `Paused until ${at(30)} (30 s): RATE_LIMITED on w1: 429`,
    '2 workers, 2 of at most 8 steps running',
    '● w1 1/4 running · 5 succeeded · up 1 min 0 s · process 7 on h1 · version 0.2.0',
    '○ w2 1/4 running · 5 succeeded · up 1 min 0 s · process 7 on h1 · version 0.2.0 stopped (login refused)',
    '! 3 jobs wait for a worker with gpu: none is there',
  ]);
});

it('rows of jobs have no control characters, and say how long jobs wait, run and ran', () => {
  expect(describeJobRow(aJob(), PLAIN, nowMs)).toBe(
    '3f9a0b1c2d3e  waiting    Fix it  waits for 1 min 30 s',
  );
  const active = aJob({ state: 'active', startedAt: at(-5), worker: 'w1', attempt: 2 });
  expect(describeJobRow(active, PLAIN, nowMs)).toContain('runs for 5.0 s · on w1 · attempt 2');
  const ended = aJob({ state: 'failed', startedAt: at(-5), endedAt: at(-3), isCancelled: true });
  expect(describeJobRow(ended, PLAIN, nowMs)).toContain(
    'cancelled  Fix it  ran 2.0 s, ended 3.0 s',
  );
});

it('a job is shown with its lost attempts and its error', () => {
  const error = new ProviderError({ code: 'TIMEOUT', message: 'Too late' }).toJSON();
  const lost = [{ attempt: 1, worker: 'w0', host: 'h0' }];
  const lines = describeJob(aJob({ state: 'failed', lost, error }), PLAIN, nowMs);
  expect(lines[0]).toBe('3f9a0b1c2d3e4f50');
  expect(lines).toContain('  Lost     attempt 1 on w0 (h0)');
  expect(lines).toContain('  Error    TIMEOUT: Too late');
});

it('a job is found by the beginning of its id; a wrong id names the nearest one', async () => {
  const jobs = [aJob({ id: 'aaaa1111' }), aJob({ id: 'aaaa2222' }), aJob({ id: 'bbbb3333' })];
  const queue = {
    list: async () => jobs,
    show: async (id: string) => {
      const found = jobs.find((job) => job.id === id);
      if (found === undefined) throw new ProviderError({ code: 'INVALID_INPUT', message: 'none' });
      return found;
    },
  };
  expect((await findJob(queue, 'bb')).id).toBe('bbbb3333');
  expect((await findJob(queue, 'aaaa2222')).id).toBe('aaaa2222');
  await expect(findJob(queue, 'aaaa')).rejects.toThrow('2 jobs have an id that begins with "aaaa"');
  await expect(findJob(queue, 'bbbb3339')).rejects.toThrow('Did you mean "bbbb3333"?');
  await expect(findJob(queue, '')).rejects.toMatchObject({ code: 'INVALID_INPUT' });
});

it('the preflight names the workers for the steps, and refuses a queue without one', () => {
  const workers = [aWorker({ labels: ['gpu'] }), aWorker({ name: 'w2' })];
  expect(describeWorkersFor(aStatus({ workers }), [])).toBe(
    'queue steps at redis://store:6379: 2 workers (w1, w2) for 8 steps at a time',
  );
  expect(describeWorkersFor(aStatus({ workers }), ['gpu'])).toBe(
    'queue steps at redis://store:6379: 1 worker (w1) for 4 steps at a time, 1 of 2 cannot take these steps',
  );
  expect(() => describeWorkersFor(aStatus({ workers: [] }), [])).toThrow(/no worker is there/);
  const stopped = [aWorker({ state: 'stopped', reason: 'AUTH' })];
  expect(() => describeWorkersFor(aStatus({ workers: stopped }), ['x'])).toThrow(
    'No worker with the labels x takes steps from the queue steps at redis://store:6379: 1 worker there, none of them takes such steps (w1: AUTH)',
  );
});

it('the status of an empty queue names what is missing, and a limit after rate limits', () => {
  const text = describeQueue(
    aStatus({ workers: [], concurrencyLimit: 1, notes: ['The store may lose jobs'] }),
    PLAIN,
    nowMs,
  );
  expect(text.slice(2)).toEqual([
    'At most 1 step at a time, after rate limits',
    'No workers',
    '! 2 jobs wait for a worker: none is there',
    '! The store may lose jobs',
  ]);
  const idle = { waiting: 0, active: 0, delayed: 0, completed: 1, failed: 0 };
  const requirements = [{ labels: ['gpu'], counts: idle }];
  const labelled = aWorker({ labels: ['gpu'], failed: 2 });
  const served = describeQueue(aStatus({ requirements, workers: [labelled] }), PLAIN, nowMs);
  expect(served.at(-1)).toContain('5 succeeded · 2 failed · labels gpu');
});

it('a job that was cancelled before its start, or lost, says so in its row', () => {
  const removed = aJob({ state: 'failed', endedAt: at(-4), isCancelled: true });
  expect(describeJobRow(removed, PLAIN, nowMs)).toContain('cancelled  Fix it  ended 4.0 s ago');
  const error = new ProviderError({ code: 'TIMEOUT', message: 'Too late' }).toJSON();
  const lost = [{ attempt: 1, worker: 'w0', host: 'h0' }];
  const row = describeJobRow(aJob({ state: 'failed', lost, error, labels: ['gpu'] }), PLAIN, nowMs);
  expect(row).toContain('1 lost · labels gpu · TIMEOUT');
});

it('everything that is known of a job is shown', () => {
  const known = { labels: ['gpu'], startedAt: at(-5), endedAt: at(-3), attempt: 2 };
  const lines = describeJob(
    aJob({ state: 'completed', ...known, worker: 'w1', host: 'h1' }),
    PLAIN,
    nowMs,
  );
  expect(lines.slice(1)).toEqual([
    '  State    completed (ran 2.0 s, ended 3.0 s ago)',
    '  Prompt   Fix it',
    '  Labels   gpu',
    `  Queued   ${at(-90)}`,
    `  Started  ${at(-5)}`,
    `  Ended    ${at(-3)}`,
    '  Attempt  2',
    '  Worker   w1 on h1',
  ]);
  const [, , , , worker] = describeJob(aJob({ worker: 'w1' }), PLAIN, nowMs);
  expect(worker).toBe('  Worker   w1');
});
