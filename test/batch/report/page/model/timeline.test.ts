import { describe, expect, it } from 'vitest';
import type { StepReport } from '../../../../../src/api/step-report.js';
import { createTimeline } from '../../../../../src/batch/report/page/model/timeline.js';
import { anAttempt, aReport, aStep, at } from '../../report-builder.js';

function seconds(instant: string): number {
  return (Date.parse(instant) - Date.parse(at(0))) / 1000;
}

function timelineOf(
  steps: readonly StepReport[],
  runs: readonly (readonly [number, number])[] = [[0, 100]],
) {
  const dated = runs.map(([from, to]) => ({ startedAt: at(from), endedAt: at(to) }));
  return createTimeline(aReport(steps, { endedAt: at(runs.at(-1)?.[1] ?? 0), runs: dated }));
}

describe('the timeline', () => {
  it('has one row for each lane, each in the order of time', () => {
    const { lanes } = timelineOf([
      aStep('late', { attempts: [anAttempt(50, 60)] }),
      aStep('other', { attempts: [anAttempt(5, 20, { lane: 3 })] }),
      aStep('early', { attempts: [anAttempt(0, 10)] }),
    ]);
    expect(lanes.map((lane) => lane.map(({ step }) => step.id))).toEqual([
      ['early', 'late'],
      ['other'],
    ]);
  });

  it('distinguishes a retried attempt from the last one', () => {
    const { items } = timelineOf([
      aStep('one', {
        state: 'failed',
        attempts: [
          anAttempt(0, 1, { outcome: 'RATE_LIMITED' }),
          anAttempt(2, 3, { outcome: 'TIMEOUT' }),
        ],
      }),
      aStep('two', { attempts: [anAttempt(4, 5)] }),
      aStep('three', { attempts: [anAttempt(6, 7, { outcome: 'CANCELLED' })] }),
      aStep('four', { attempts: [anAttempt(8, undefined)] }),
    ]);
    expect(items.map(({ kind }) => kind)).toEqual([
      'retried',
      'failed',
      'succeeded',
      'cancelled',
      'interrupted',
    ]);
  });

  it('ends an attempt of a dead run at the start of the pause', () => {
    const { items, clock } = timelineOf(
      [
        aStep('dead', {
          attempts: [anAttempt(5, undefined), anAttempt(3_600, 3_620, { number: 2 })],
        }),
        aStep('done', { attempts: [anAttempt(0, 30, { lane: 1 })] }),
      ],
      [
        [0, 30],
        [3_600, 3_620],
      ],
    );
    expect(clock.folds).toHaveLength(1);
    expect(
      items.map(({ endMs, isEndKnown }) => [seconds(new Date(endMs).toISOString()), isEndKnown]),
    ).toEqual([
      [30, true],
      [30, false],
      [3_620, true],
    ]);
  });

  it('ends an attempt of a dead run at the next attempt of its lane if there is no pause', () => {
    const { items } = timelineOf([
      aStep('dead', { attempts: [anAttempt(5, undefined)] }),
      aStep('next', { attempts: [anAttempt(20, 30)] }),
      aStep('last', { attempts: [anAttempt(40, undefined)] }),
    ]);
    expect(items.map(({ endMs }) => seconds(new Date(endMs).toISOString()))).toEqual([20, 30, 100]);
  });

  it('tells work from the wait for a slot and from the wait for the merge', () => {
    const { items, lanes } = timelineOf([
      aStep('merged', {
        isolation: 'worktree',
        attempts: [anAttempt(0, 10, { waitedMs: 4_000, mergedAt: at(60) })],
      }),
      aStep('merging', {
        isolation: 'worktree',
        state: 'merging',
        attempts: [anAttempt(10, 20)],
      }),
      aStep('running', {
        state: 'running',
        attempts: [anAttempt(20, undefined, { outcome: 'running' })],
      }),
    ]);
    const times = items.map(({ startMs, workMs, endMs, merge }) =>
      [startMs, workMs, endMs, merge?.startMs, merge?.endMs].map((instant) =>
        instant === undefined ? undefined : seconds(new Date(instant).toISOString()),
      ),
    );
    expect(times).toEqual([
      [0, 4, 10, 10, 60],
      [10, 10, 20, 20, 100],
      [20, 20, 100, undefined, undefined],
    ]);
    expect(lanes).toHaveLength(1);
    expect(items.at(-1)).toMatchObject({ kind: 'running', isEndKnown: false });
  });

  it('ends a bar at the start of the next one in its lane, also if the ledger says otherwise', () => {
    const { items } = timelineOf([
      aStep('one', { isolation: 'worktree', attempts: [anAttempt(0, 50)] }),
      aStep('two', { isolation: 'worktree', attempts: [anAttempt(10, 60)] }),
    ]);
    expect(items.map(({ startMs, endMs, merge }) => [endMs - startMs, merge?.endMs])).toEqual([
      [10_000, Date.parse(at(50))],
      [50_000, undefined],
    ]);
  });

  it('leaves out unreadable start times and never has negative durations', () => {
    const { items, lanes } = timelineOf([
      aStep('unreadable', { attempts: [anAttempt(0, 1, { startedAt: 'soon' })] }),
      aStep('backwards', { attempts: [anAttempt(20, 10, { lane: 1_000_000 })] }),
    ]);
    expect(lanes).toHaveLength(1);
    expect(items.map(({ startMs, endMs }) => endMs - startMs)).toEqual([0]);
  });

  it('is empty if no step ran', () => {
    const { items, lanes } = timelineOf([aStep('skipped', { state: 'skipped' })]);
    expect([items, lanes]).toEqual([[], []]);
  });
});
