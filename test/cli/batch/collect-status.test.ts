import { describe, expect, it } from 'vitest';
import type { AgentEvent } from '../../../src/api/agent-event.js';
import { ProviderError } from '../../../src/base/errors/provider-error.js';
import { LedgerPace } from '../../../src/batch/ledger/ledger-pace.js';
import { type ReadBatch, readBatch } from '../../../src/batch/run/read-batch.js';
import { collectStatus } from '../../../src/cli/batch/collect-status.js';
import { PLAN, RECORDED, start } from '../../batch/ledger/record-ledger.js';
import { anAttempt, aReport, aStep, at } from '../../batch/report/report-builder.js';
import { writeBatch } from '../../batch/run/write-batch.js';

const NOW_MS = Date.parse(at(100));
const OWNER = {
  leaseId: 'l',
  owner: { pid: 7, host: 'h', startTime: '1', boot: 'b' },
  startedAt: at(1),
  beat: 1,
};

/** A batch at work on this machine, with these differences. */
async function atWork(
  more: Partial<ReadBatch> = {},
  events: Readonly<Record<string, readonly AgentEvent[]>> = {},
): Promise<ReadBatch> {
  const folders = await writeBatch([PLAN], events);
  const read = await readBatch(folders.out.path);
  // @ts-expect-error: the facts of an owner that a status shows.
  const liveness: ReadBatch['liveness'] = { kind: 'alive', owner: OWNER };
  return { ...read, liveness, ...more };
}

describe('collectStatus', () => {
  it('tells a batch that was killed from one that has ended', async () => {
    const killed = await readBatch((await writeBatch([PLAN, start('a')])).out.path);
    const status = await collectStatus(killed, NOW_MS);
    expect(status).toMatchObject({
      state: 'killed',
      interrupted: ['a'],
      stop: { reason: 'killed' },
      retrying: [],
      running: [],
    });
    expect(status).not.toHaveProperty('owner');
    const ended = await readBatch((await writeBatch(RECORDED)).out.path);
    expect(await collectStatus(ended, NOW_MS)).toMatchObject({
      state: 'ended',
      outcome: 'stopped',
      total: 3,
      tokens: 15,
    });
  });

  it('names the owner of a batch at work, and says so if the owner does not answer', async () => {
    const read = await atWork();
    expect(await collectStatus(read, NOW_MS)).toMatchObject({
      state: 'running',
      owner: { pid: 7, host: 'h', since: at(1) },
    });
    const silent = await collectStatus(
      { ...read, liveness: { ...read.liveness, kind: 'silent' } },
      NOW_MS,
    );
    expect(silent).toMatchObject({ state: 'silent', owner: { pid: 7 } });
    const over = await collectStatus({ ...read, isEnded: true }, NOW_MS);
    expect(over).not.toHaveProperty('owner');
  });

  it('describes what each running step does, on which worker, and since when', async () => {
    const job = { jobId: 'j', worker: 'w', host: 'h', attempt: 1, waitMs: 0, lost: [] };
    const report = aReport([
      aStep('works', {
        state: 'running',
        attempts: [anAttempt(40, undefined, { number: 2, job })],
      }),
      aStep('queues', { state: 'running', attempts: [anAttempt(200, undefined)] }),
      aStep('silent', { state: 'running' }),
      aStep('merges', { state: 'merging', attempts: [anAttempt(10, 70)] }),
      aStep('odd', { state: 'merging' }),
    ]);
    const events: Record<string, AgentEvent[]> = {
      works: [{ type: 'text-delta', text: 'x', textKind: 'thinking' }],
      queues: [{ type: 'session-status', status: 'waiting', waitsFor: 'queue', message: 'waits' }],
    };
    const read = await atWork({ report }, events);
    const { running, workers } = await collectStatus(read, NOW_MS);
    expect(running).toMatchObject([
      { id: 'works', attempt: 2, forMs: 60_000, worker: 'w', activity: expect.any(String) },
      { id: 'queues', attempt: 1, forMs: 0, activity: 'waiting in the queue' },
      { id: 'silent', attempt: 1, forMs: 0 },
      { id: 'merges', forMs: 30_000, activity: 'waits for its merge' },
      { id: 'odd', forMs: 0, activity: 'waits for its merge' },
    ]);
    expect(running[0]?.activity).not.toBe('');
    expect(running[1]).not.toHaveProperty('worker');
    expect(workers).toMatchObject([{ worker: 'w', attempts: 1, lost: 0 }]);
    const killed = await collectStatus({ ...read, liveness: { kind: 'dead' } }, NOW_MS);
    expect(killed.running.at(-1)?.activity).toBe('finished, the next run merges it');
  });

  it('tells what holds up a running batch, and nothing that is over', async () => {
    const failed = anAttempt(0, 1, { number: 2, outcome: 'NETWORK' });
    const error = new ProviderError({ code: 'TIMEOUT', message: 'late', hint: 'wait' }).toJSON();
    const report = aReport([
      aStep('waits', { state: 'pending', attempts: [failed] }),
      aStep('due', { state: 'pending', attempts: [failed] }),
      aStep('new', { state: 'pending' }),
      aStep('runs', { state: 'running', attempts: [failed] }),
      aStep('failed', { state: 'failed', error }),
      aStep('odd', { state: 'failed' }),
    ]);
    const pace = new LedgerPace();
    for (const id of ['waits', 'new', 'runs']) pace.retries.set(id, { untilMs: NOW_MS + 500 });
    pace.retries.set('due', { untilMs: NOW_MS - 500 });
    pace.limit = 2;
    pace.pausedUntil = at(101);
    pace.cause = 'outage';
    const status = await collectStatus(await atWork({ report, pace }), NOW_MS);
    expect(status).toMatchObject({
      retrying: [
        { id: 'waits', code: 'NETWORK', attempt: 3, inMs: 500 },
        { id: 'due', inMs: 0 },
      ],
      pausedUntil: at(101),
      pauseCause: 'outage',
      limit: 2,
      failures: [{ id: 'failed', code: 'TIMEOUT', message: 'late', hint: 'wait' }],
      interrupted: [],
    });
    pace.pausedUntil = at(99);
    pace.limit = undefined;
    const later = await collectStatus(await atWork({ report, pace }), NOW_MS);
    expect(later).not.toHaveProperty('pausedUntil');
    expect(later).not.toHaveProperty('limit');
  });
});
