import { expect, it } from 'vitest';
import type { BatchEvent } from '../../src/api/batch-event.js';
import type { StepReport } from '../../src/api/step-report.js';
import { BatchProgress } from '../../src/cli/batch-progress.js';

function report(id: string, more: Partial<StepReport> = {}): BatchEvent {
  const counts = { total: 5, input: 5, output: 0, cached: 0 };
  const plain: StepReport = {
    id,
    planId: id,
    folder: '',
    needs: [],
    state: 'succeeded',
    reused: false,
    isolation: 'shared',
    attempts: [],
    durationMs: 1,
    waitMs: 0,
    files: [],
    usage: { ...counts, models: {}, toolCalls: 0 },
    deniedTools: [],
    warnings: [],
  };
  return { type: 'step-finished', stepId: id, report: { ...plain, ...more } };
}
const started = (stepId: string): BatchEvent => {
  return { type: 'step-started', stepId, attempt: 1, lane: 0 };
};

it('BatchProgress computes the pace from steps that ran, and the remaining time from the pace', () => {
  const progress = new BatchProgress(0);
  const steps = ['a', 'b', 'c', 'd'];
  progress.accept({ type: 'batch-started', name: 'n', planHash: 'h', steps, isFresh: false }, 0);
  expect(progress.remainingMs(0)).toBe(undefined);
  progress.accept(report('a', { reused: true }), 1000);
  expect(progress.remainingMs(1000)).toBe(undefined);
  progress.accept(report('b'), 60_000);
  expect(progress.stepsPerMinute(60_000)).toBe(1);
  expect(progress.remainingMs(60_000)).toBe(120_000);
  expect([progress.finished, progress.tokens]).toEqual([2, 5]);
});

it('BatchProgress counts a step as running, waiting for its next attempt, or finished', () => {
  const progress = new BatchProgress(0);
  progress.accept(started('a'), 10);
  expect(progress.running.get('a')).toMatchObject({ startedMs: 10, activity: 'starting' });
  const retry = { stepId: 'a', attempt: 1, code: 'NETWORK', message: 'm', delayMs: 1 } as const;
  progress.accept({ type: 'step-retry', ...retry }, 20);
  expect([progress.running.size, progress.waiting]).toEqual([0, 1]);
  progress.accept(started('a'), 30);
  expect([progress.running.size, progress.waiting]).toEqual([1, 0]);
  progress.accept(report('a', { state: 'failed' }), 40);
  expect([progress.running.size, progress.counts.failed]).toEqual([0, 1]);
});

it('BatchProgress names the running tool with its file, and ignores unknown steps', () => {
  const progress = new BatchProgress(0);
  const call = {
    type: 'tool-invocation',
    callId: '1',
    toolName: 'write_file',
    kind: 'edit',
    category: 'file-write',
    input: {},
    locations: ['src/a.ts'],
  } as const;
  progress.accept(started('a'), 0);
  progress.accept({ type: 'step-progress', stepId: 'a', event: call }, 1);
  progress.accept({ type: 'step-progress', stepId: 'b', event: call }, 1);
  expect(progress.running.get('a')?.activity).toBe('write_file src/a.ts');
  expect(progress.running.size).toBe(1);
});
