import { describe, expect, it } from 'vitest';
import type { AgentEvent } from '../../../src/api/agent-event.js';
import type { BatchEvent } from '../../../src/api/batch-event.js';
import { ProviderError } from '../../../src/base/errors/provider-error.js';
import type { NewLedgerEntry } from '../../../src/batch/ledger/ledger-entry.js';
import type { BatchFolders } from '../../../src/batch/run/batch-folders.js';
import { followBatch } from '../../../src/batch/run/follow-batch.js';
import { attempt, done, PLAN, RECORDED, RESULT, start } from '../ledger/record-ledger.js';
import { writeBatch } from './write-batch.js';

const { signal: never } = new AbortController();

async function follow(folders: BatchFolders, signal = never): Promise<BatchEvent[]> {
  const events: BatchEvent[] = [];
  for await (const { event } of followBatch(folders, signal)) events.push(event);
  return events;
}

/** Shortens events to their types and the steps that they are about. */
const shorten = (events: readonly BatchEvent[]): string[] =>
  events.map((event) => ('stepId' in event ? `${event.type} ${event.stepId}` : event.type));

/** What `shorten` makes of the last run of the recording. */
const LAST_RUN = [
  'batch-started',
  'step-started b',
  'step-started b',
  'step-finished b',
  'warning',
  'step-finished c',
  'stopping',
  'step-finished a',
  'batch-finished',
];

/** Returns the line of the plan with other facts. */
const planWith = (more: object): NewLedgerEntry => ({ ...PLAN, ...more });

const delta = (text: string): AgentEvent => ({ type: 'text-delta', text, textKind: 'text' });

describe('followBatch', () => {
  it('tells of the last run alone, with what earlier runs have brought', async () => {
    const folders = await writeBatch(RECORDED.slice(0, -1));
    const events = await follow(folders);
    expect(shorten(events)).toEqual(LAST_RUN);
    expect(events[0]).toMatchObject({ isFresh: false, steps: ['a', 'b', 'c'] });
    const [end] = events.slice(-1);
    expect(end?.type === 'batch-finished' && end.report.counts).toMatchObject({ succeeded: 2 });
  });

  it('tells of a batch that has ended already as of one whose end is awaited', async () => {
    const events = await follow(await writeBatch(RECORDED));
    expect(shorten(events)).toEqual(LAST_RUN);
  });

  it('tells of a batch that was killed as stopped, with the events of the steps that ran', async () => {
    const entries = [PLAN, start('a'), start('b'), attempt('b', 'RATE_LIMITED')];
    const said = { a: [delta('one'), delta('two')], b: [delta('late')] };
    const events = await follow(await writeBatch(entries, said));
    expect(shorten(events)).toEqual([
      'batch-started',
      'step-started a',
      'step-started b',
      'step-progress a',
      'step-progress a',
      'batch-finished',
    ]);
    const [end] = events.slice(-1);
    expect(end).toMatchObject({ report: { outcome: 'stopped' } });
  });

  it('tells of waits, rate limits, retries and every end of a step', async () => {
    const error = new ProviderError({ code: 'TIMEOUT', message: 'late' }).toJSON();
    const entries: NewLedgerEntry[] = [
      planWith({ leftOut: ['c'] }),
      start('a'),
      attempt('a', 'RATE_LIMITED'),
      { type: 'retry', step: 'a', delayMs: 5, model: 'other' },
      { type: 'pace', limit: 4, most: 4 },
      { type: 'pace', limit: 2, most: 4, pausedUntil: new Date(9_000).toISOString() },
      {
        type: 'pace',
        limit: 2,
        most: 4,
        pausedUntil: new Date(9_000).toISOString(),
        cause: 'outage',
      },
      // Neither a step that has not failed nor one without an attempt is tried again.
      { type: 'retry', step: 'b', delayMs: 5 },
      start('b'),
      { type: 'retry', step: 'b', delayMs: 5 },
      { type: 'failed', step: 'b', error },
      { type: 'failed', step: 'b', error },
      { type: 'cancelled', step: 'a' },
      { type: 'done', step: 'unknown', key: 'k', result: RESULT, inputs: {} },
      { type: 'end' },
    ];
    const events = await follow(await writeBatch(entries));
    expect(shorten(events)).toEqual([
      'batch-started',
      'step-finished c',
      'step-started a',
      'step-retry a',
      'concurrency',
      'paused',
      'paused',
      'step-started b',
      'step-finished b',
      'step-finished a',
      'batch-finished',
    ]);
    expect(events[3]).toMatchObject({ code: 'RATE_LIMITED', model: 'other', delayMs: 5 });
    expect(events.slice(5, 7)).toMatchObject([
      { cause: 'rate-limit', untilMs: 9_000 },
      { cause: 'outage' },
    ]);
    expect(events[8]).toMatchObject({ report: { state: 'failed', error: { code: 'TIMEOUT' } } });
  });

  it('tells that a step waits for its merge, whatever its agent says later', async () => {
    const result = { files: [] };
    const saved: NewLedgerEntry = {
      type: 'saved',
      step: 'a',
      attempt: 1,
      key: 'k',
      // @ts-expect-error: the part of a result that the reader looks at.
      result,
      inputs: {},
      changes: 'c',
    };
    const events = await follow(
      await writeBatch([PLAN, start('a'), saved], { a: [delta('late')] }),
    );
    expect(shorten(events).slice(1, -1)).toEqual(['step-started a', 'step-waiting a']);
  });

  it('keeps results of earlier runs for steps whose needs are settled', async () => {
    const steps = ['a', 'b', 'c'].map((id) => {
      const needs = id === 'b' ? ['c'] : [];
      return { id, planId: id, needs, isolation: 'shared', folder: '' };
    });
    const plan = planWith({ steps });
    const run = [plan, start('a'), done('a'), start('b'), done('b')];
    const events = await follow(await writeBatch([...run, plan, start('c')]));
    // The step b needs c, which has not ended.
    expect(shorten(events).filter((line) => line.startsWith('step-finished'))).toEqual([
      'step-finished a',
    ]);
  });

  it('ends without a report when the caller leaves, and with one for a folder without a plan', async () => {
    const folders = await writeBatch([PLAN, start('a')]);
    expect(shorten(await follow(folders, AbortSignal.abort()))).toEqual([
      'batch-started',
      'step-started a',
    ]);
    expect(shorten(await follow(await writeBatch([])))).toEqual(['batch-finished']);
  });
});
