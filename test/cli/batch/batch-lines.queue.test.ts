import { describe, expect, it } from 'vitest';
import type { AgentEvent } from '../../../src/api/agent-event.js';
import type { BatchEvent } from '../../../src/api/batch-event.js';
import type { StepReport } from '../../../src/api/step-report.js';
import { describeBatchEvent } from '../../../src/cli/batch/batch-lines.js';
import { BatchProgress, type PlanFacts } from '../../../src/cli/batch/batch-progress.js';
import { PLAIN } from '../../../src/cli/output/output.js';
import { aFile, anAttempt, aStep, usageOf } from '../../batch/report/report-builder.js';

/** Returns a function that accepts an event and describes it, as the view does. */
function follow(plan: PlanFacts = {}) {
  const progress = new BatchProgress(0, plan);
  return (event: BatchEvent): string | undefined => {
    progress.accept(event, 0);
    return describeBatchEvent(event, PLAIN, progress);
  };
}

const START: BatchEvent = { type: 'step-started', stepId: 'a', attempt: 1, lane: 0 };
const JOB = { jobId: 'j', host: 'h', waitMs: 1, lost: [] };

const progressOf = (event: AgentEvent): BatchEvent => ({
  type: 'step-progress',
  stepId: 'a',
  event,
});
const takenBy = (worker: string, attempt: number, lost: readonly string[] = []): BatchEvent =>
  progressOf({
    ...JOB,
    type: 'worker-assigned',
    worker,
    attempt,
    lost: lost.map((name, index) => ({ attempt: index + 1, worker: name, host: 'h' })),
  });
const waits: BatchEvent = progressOf({
  type: 'session-status',
  status: 'waiting',
  waitsFor: 'queue',
  message: 'Worker w1 has given\u001b[2J the step back',
});

describe('the lines of a step on workers', () => {
  it('tell of a worker that was lost, and of one that has given the step back', () => {
    const describe = follow();
    describe(START);
    expect(describe(waits)).toBeUndefined();
    expect(describe(takenBy('w1', 1))).toBeUndefined();
    expect(describe(progressOf({ type: 'text-delta', text: 'x', textKind: 'text' }))).toBe(
      undefined,
    );
    expect(describe(waits)).toBe('! a Worker w1 has given the step back');
    expect(describe(takenBy('w2', 2, ['w1']))).toBe(
      '! a worker w1 was lost, w2 begins the step again',
    );
    // The lost worker of an earlier attempt was told before.
    expect(describe(takenBy('w3', 3, ['w1']))).toBeUndefined();
  });

  it('need no progress for a worker that was lost', () => {
    expect(describeBatchEvent(takenBy('w2', 2, ['w1']), PLAIN)).toContain('w1 was lost');
    expect(describeBatchEvent(waits, PLAIN)).toBeUndefined();
  });

  it('name the worker of the last attempt', () => {
    const job = { ...JOB, worker: 'w\u001b[2J1', attempt: 1 };
    const attempts = [anAttempt(0, 4, { job, usage: usageOf({ m: 100 }) })];
    const finish = (more: Partial<StepReport>): BatchEvent => {
      return { type: 'step-finished', stepId: 'a', report: aStep('a', { attempts, ...more }) };
    };
    expect(describeBatchEvent(finish({ files: [aFile('a.txt')] }), PLAIN)).toBe(
      '✓ a 4.0 s · 100 tokens · 1 file · on w1',
    );
    expect(describeBatchEvent(finish({ state: 'failed' }), PLAIN)).toBe('✗ a   (on w1)');
    expect(describeBatchEvent(finish({ state: 'merging' }), PLAIN)).toBe(
      '- a finished and saved: the next run merges it',
    );
    expect(describeBatchEvent(finish({ leftOut: true }), PLAIN)).toBeUndefined();
    expect(describeBatchEvent(finish({ state: 'skipped' }), PLAIN)).toBe(
      '- a skipped because  failed',
    );
  });
});

describe('the lines of a fallback model', () => {
  it('name the model, and count no retries', () => {
    const describe = follow({ retriesOf: () => 2 });
    describe(START);
    const retry = { type: 'step-retry', stepId: 'a', attempt: 1, delayMs: 1_000 } as const;
    const model = 'gemini-2.5-flash';
    expect(describe({ ...retry, code: 'QUOTA_EXHAUSTED', message: 'no', model })).toBe(
      '↻ a QUOTA_EXHAUSTED: no (attempt 2 with gemini-2.5-flash in 1.0 s)',
    );
    expect(describe({ ...START, attempt: 2, reason: 'retry', model })).toBe(
      '→ a attempt 2 with gemini-2.5-flash',
    );
  });
});

describe('the lines of the batch', () => {
  it('tell of an outage, and of the commands at its end', () => {
    const paused = { type: 'paused', cause: 'outage', untilMs: 0 } as const;
    expect(describeBatchEvent(paused, PLAIN)).toMatch(
      /^The API or the network is down: no step starts before .* until one succeeds$/,
    );
    const command = { type: 'finish-command', command: 'npm test', output: '' } as const;
    expect(describeBatchEvent(command, PLAIN)).toBe('onFinish: npm test');
    expect(describeBatchEvent({ ...command, output: 'ok\u001b[2J' }, PLAIN)).toBe(
      'onFinish: npm test\nok',
    );
    const start = { type: 'batch-started', name: 'n', planHash: 'h', steps: [] } as const;
    expect(describeBatchEvent({ ...start, isFresh: true }, PLAIN)).toBe('Batch n: 0 steps');
  });
});
