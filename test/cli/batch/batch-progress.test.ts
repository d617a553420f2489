import { expect, it } from 'vitest';
import type { AgentEvent } from '../../../src/api/agent-event.js';
import type { BatchEvent } from '../../../src/api/batch-event.js';
import type { AttemptReport, StepReport } from '../../../src/api/step-report.js';
import { describeBatchEvent } from '../../../src/cli/batch/batch-lines.js';
import { BatchProgress } from '../../../src/cli/batch/batch-progress.js';
import { PLAIN } from '../../../src/cli/output/output.js';

function report(id: string, more: Partial<StepReport> = {}): BatchEvent {
  const counts = { total: 5, input: 5, output: 0, cached: 0, thoughts: 0, tool: 0 };
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
const started = (stepId: string, number = 1): BatchEvent => {
  return { type: 'step-started', stepId, attempt: number, lane: 0 };
};
function attempt(number: number): AttemptReport {
  const counts = { total: 5, input: 5, output: 0, cached: 0, thoughts: 0, tool: 0 };
  const usage = { ...counts, models: {}, toolCalls: 0 };
  const startedAt = new Date(0).toISOString();
  return { number, lane: 0, startedAt, outcome: 'succeeded', repairs: 0, usage };
}
const progressOf = (stepId: string, event: AgentEvent): BatchEvent => {
  return { type: 'step-progress', stepId, event };
};
const ids = (steps: readonly { readonly id: string }[]) => steps.map(({ id }) => id);

it('BatchProgress computes the pace from steps that ran, and the remaining time from the pace', () => {
  const progress = new BatchProgress(0);
  const steps = ['a', 'b', 'c', 'd'];
  progress.accept({ type: 'batch-started', name: 'n', planHash: 'h', steps, isFresh: false }, 0);
  expect(progress.remainingMs(0)).toBe(undefined);
  progress.accept(report('a', { reused: true }), 1000);
  expect(progress.remainingMs(1000)).toBe(undefined);
  progress.accept(started('b'), 2000);
  progress.accept(report('b', { attempts: [attempt(1)] }), 60_000);
  expect(progress.stepsPerMinute(60_000)).toBe(1);
  expect(progress.remainingMs(60_000)).toBe(120_000);
  expect([progress.finished, progress.tokens]).toEqual([2, 5]);
});

it('BatchProgress counts from the start of the batch, also if it is watched from later on', () => {
  const progress = new BatchProgress(600_000);
  const steps = ['a', 'b'];
  progress.accept({ type: 'batch-started', name: 'n', planHash: 'h', steps, isFresh: true }, 0);
  progress.accept(started('a'), 0);
  progress.accept(report('a', { attempts: [attempt(1)] }), 60_000);
  expect([progress.startedMs, progress.stepsPerMinute(600_000)]).toEqual([0, 0.1]);
});

it('BatchProgress adds the pause of a rate limit to the remaining time', () => {
  const progress = new BatchProgress(0);
  const steps = ['a', 'b'];
  progress.accept({ type: 'batch-started', name: 'n', planHash: 'h', steps, isFresh: true }, 0);
  progress.accept(started('a'), 0);
  progress.accept(report('a', { attempts: [attempt(1)] }), 60_000);
  progress.accept({ type: 'paused', cause: 'rate-limit', untilMs: 100_000 }, 60_000);
  expect(progress.remainingMs(60_000)).toBe(100_000);
  expect(progress.remainingMs(120_000)).toBe(120_000);
});

it('BatchProgress does not count steps that the run leaves out', () => {
  const progress = new BatchProgress(0);
  const steps = ['a', 'b', 'c'];
  progress.accept({ type: 'batch-started', name: 'n', planHash: 'h', steps, isFresh: true }, 0);
  const skip = { reason: 'selection', message: 'The run was told to leave it out' } as const;
  const left = report('a', { state: 'skipped', skip, leftOut: true });
  // This one has failed in an earlier run.
  const failed = report('c', { state: 'failed', leftOut: true });
  for (const event of [left, failed]) {
    progress.accept(event, 0);
    expect(describeBatchEvent(event, PLAIN, progress)).toBeUndefined();
  }
  const condition = report('b', { state: 'skipped', skip: { ...skip, reason: 'condition' } });
  progress.accept(condition, 0);
  expect(describeBatchEvent(condition, PLAIN, progress)).toContain('- b skipped');
  expect([progress.finished, progress.total, progress.counts.skipped]).toEqual([1, 1, 1]);
  expect(progress.counts.failed).toBe(0);
});

it('BatchProgress counts tokens of the attempts of this run alone', () => {
  const progress = new BatchProgress(0);
  progress.accept(started('a', 3), 0);
  progress.accept(report('a', { attempts: [attempt(1), attempt(2), attempt(3)] }), 1);
  progress.accept(report('b', { attempts: [attempt(1)], reused: true }), 1);
  expect(progress.tokens).toBe(5);
});

it('BatchProgress tells steps at work, finished ones, and those that wait for their next attempt', () => {
  const progress = new BatchProgress(0, { retriesOf: () => 2 });
  progress.accept(started('a', 4), 10);
  expect(progress.atWork).toMatchObject([
    { startedMs: 10, attempt: 1, mostAttempts: 3, phase: { kind: 'work', text: 'starting' } },
  ]);
  const retry = { stepId: 'a', attempt: 4, code: 'NETWORK', message: 'm', delayMs: 1 } as const;
  progress.accept({ type: 'step-retry', ...retry }, 20);
  expect([progress.atWork.length, ids(progress.retrying)]).toEqual([0, ['a']]);
  progress.accept(started('a', 5), 30);
  expect(progress.atWork).toMatchObject([{ attempt: 2 }]);
  progress.accept(
    progressOf('a', { type: 'turn-complete', subtype: 'success', isError: false }),
    35,
  );
  expect([progress.atWork.length, ids(progress.finishing)]).toEqual([0, ['a']]);
  progress.accept(report('a', { state: 'failed' }), 40);
  expect([progress.active.size, progress.counts.failed, progress.finished]).toEqual([0, 1, 1]);
});

it('BatchProgress takes a step that waits for its merge from the steps at work', () => {
  const progress = new BatchProgress(0);
  for (const id of ['a', 'b', 'c']) progress.accept(started(id), 0);
  progress.accept({ type: 'step-waiting', stepId: 'a', waitsFor: 'merging' }, 1);
  progress.accept({ type: 'step-waiting', stepId: 'b', waitsFor: 'merge', behind: 'a' }, 1);
  expect([ids(progress.atWork), ids(progress.finishing)]).toEqual([['c'], ['a', 'b']]);
  expect(progress.active.get('b')?.phase).toEqual({ kind: 'merge', behind: 'a' });
});

it('BatchProgress does not count the wait for a slot as work', () => {
  const progress = new BatchProgress(0);
  progress.accept(started('a'), 0);
  progress.accept({ type: 'step-waiting', stepId: 'a', waitsFor: 'slot' }, 100);
  expect(progress.atWork).toMatchObject([{ phase: { kind: 'slot', sinceMs: 100 } }]);
  progress.accept(progressOf('a', { type: 'session-init', sessionId: 's' }), 5100);
  expect(progress.atWork).toMatchObject([{ startedMs: 5100, phase: { kind: 'work' } }]);
});

it('BatchProgress tells until when a step waits for the rate limit', () => {
  const progress = new BatchProgress(0);
  progress.accept(started('a'), 0);
  const retrying = { type: 'session-status', status: 'retrying', message: 'HTTP 503' } as const;
  progress.accept(progressOf('a', { ...retrying, httpStatus: 429, delayMs: 2000 }), 50);
  expect(progress.active.get('a')?.phase).toEqual({ kind: 'rate-limit', untilMs: 2050 });
  progress.accept(progressOf('a', { ...retrying, httpStatus: 429 }), 60);
  expect(progress.active.get('a')?.phase).toEqual({ kind: 'rate-limit', untilMs: 60 });
  progress.accept(progressOf('a', { ...retrying, delayMs: 3000 }), 65);
  expect(progress.active.get('a')?.phase).toEqual({ kind: 'rate-limit', untilMs: 3065 });
  progress.accept(progressOf('a', { ...retrying, httpStatus: 503 }), 70);
  expect(progress.active.get('a')?.phase).toEqual({
    kind: 'work',
    text: 'HTTP 503, the CLI tries again',
  });
});

it('BatchProgress ignores events of steps that have not begun', () => {
  const progress = new BatchProgress(0);
  progress.accept(progressOf('b', { type: 'user-input', text: 'x', isSynthetic: false }), 1);
  progress.accept({ type: 'step-waiting', stepId: 'b', waitsFor: 'slot' }, 1);
  expect(progress.active.size).toBe(0);
});

it('a step waits in the queue until a worker takes it, and its time is the time of work', () => {
  const progress = new BatchProgress(0);
  progress.accept(started('a'), 0);
  progress.accept({ type: 'step-waiting', stepId: 'a', waitsFor: 'queue' }, 100);
  const row = progress.active.get('a');
  expect(row?.phase).toEqual({ kind: 'queue', sinceMs: 100 });
  expect(ids(progress.atWork)).toEqual(['a']);
  progress.accept(progressOf('a', assigned('w1')), 5000);
  expect(row).toMatchObject({ worker: 'w1', startedMs: 5000, phase: { kind: 'work' } });
  progress.accept(progressOf('a', assigned('w2')), 9000);
  expect(row).toMatchObject({ worker: 'w2', phase: { text: 'starting' } });
});

it('a watched batch has no step-waiting: the event of the provider says that the step is in the queue', () => {
  const progress = new BatchProgress(0);
  progress.accept(started('a'), 0);
  const message = 'Waits for a worker';
  const waiting = {
    type: 'session-status',
    status: 'waiting',
    waitsFor: 'queue',
    message,
  } as const;
  progress.accept(progressOf('a', waiting), 700);
  expect(progress.active.get('a')?.phase).toEqual({ kind: 'queue', sinceMs: 700 });
});

function assigned(worker: string): AgentEvent {
  return {
    type: 'worker-assigned',
    jobId: 'j',
    worker,
    host: 'h',
    attempt: 1,
    waitMs: 1,
    lost: [],
  };
}
