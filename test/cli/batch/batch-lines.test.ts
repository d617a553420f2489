import { describe, expect, it } from 'vitest';
import type { BatchEvent, StepStartedEvent } from '../../../src/api/batch-event.js';
import type { BatchReport } from '../../../src/api/batch-report.js';
import type { AttemptReport, StepReport } from '../../../src/api/step-report.js';
import { ProviderError } from '../../../src/base/errors/provider-error.js';
import { buildReport } from '../../../src/batch/ledger/build-report.js';
import { LedgerFold } from '../../../src/batch/ledger/fold-ledger.js';
import { describeBatchEvent } from '../../../src/cli/batch/batch-lines.js';
import { BatchProgress } from '../../../src/cli/batch/batch-progress.js';
import { batchExitCode } from '../../../src/cli/exit-status.js';
import { PLAIN } from '../../../src/cli/output/output.js';
import { date, RECORDED } from '../../batch/ledger/record-ledger.js';

function recorded(): BatchReport {
  const fold = new LedgerFold();
  for (const entry of date(RECORDED)) fold.accept(entry);
  return buildReport(fold);
}
const report = recorded();
const [first] = report.steps;

function finished(more: Partial<StepReport>): BatchEvent {
  if (first === undefined) throw new Error('no step');
  return { type: 'step-finished', stepId: 'a', report: { ...first, reused: false, ...more } };
}
const error = new ProviderError({ code: 'TOOL_FAILED', message: 'it\u001b[31m broke' }).toJSON();

describe('the progress lines of a batch', () => {
  it.each<[BatchEvent, string | undefined]>([
    [finished({ reused: false }), '✓ a 2.0 s · 5 tokens · 1 file'],
    [finished({ reused: true }), undefined],
    [finished({ state: 'failed', error }), '✗ a TOOL_FAILED it broke'],
    [finished({ state: 'skipped', skippedBecauseOf: 'b' }), '- a skipped because b failed'],
    [
      finished({ state: 'skipped', skip: { reason: 'condition', message: '`when` is\nfalse' } }),
      '- a skipped: `when` is false',
    ],
    [finished({ state: 'cancelled' }), '- a cancelled'],
    [finished({ state: 'failed', error: undefined }), '✗ a  '],
    [
      finished({ state: 'succeeded', usage: undefined, attempts: [], files: [] }),
      '✓ a 2.0 s · 0 tokens · 0 files',
    ],
    [
      { type: 'batch-started', name: 'n\u001b[2J', planHash: 'h', steps: ['a'], isFresh: false },
      'Batch n: 1 step, resumed',
    ],
    [
      { type: 'stopping', stop: { reason: 'interrupted', message: 'Enough\u001b[2J' } },
      'Stopping: Enough',
    ],
    [
      { type: 'stopping', stop: { reason: 'QUOTA_EXHAUSTED', message: 'Set another `model`.' } },
      'Stopping: Set another `--model`.',
    ],
    [
      { type: 'warning', warning: { code: 'SAME_FILE', message: 'Both\u001b[2J', steps: [] } },
      'Warning: Both',
    ],
    [{ type: 'step-started', stepId: 'a', attempt: 1, lane: 0 }, '→ a'],
    [{ type: 'step-started', stepId: 'm[a\nb\u001b[2J]', attempt: 1, lane: 0 }, '→ m[a b]'],
    [{ type: 'step-started', stepId: 'a', attempt: 2, lane: 0 }, '→ a attempt 2'],
    [
      {
        type: 'step-retry',
        stepId: 'a',
        attempt: 1,
        code: 'NETWORK',
        message: 'x\ny',
        delayMs: 1500,
      },
      '↻ a NETWORK: x y (attempt 2 in 1.5 s)',
    ],
    [
      { type: 'paused', cause: 'rate-limit', untilMs: new Date(2026, 1, 3, 4, 5, 6).getTime() },
      'Rate limited: no step starts before 04:05:06',
    ],
    [{ type: 'step-waiting', stepId: 'a', waitsFor: 'merge' }, undefined],
    [{ type: 'concurrency', limit: 2 }, 'Concurrency is now 2'],
    [{ type: 'batch-finished', report }, undefined],
  ])('describe an event, or skip it', (event, line) => {
    expect(describeBatchEvent(event, PLAIN)).toBe(line);
  });
});

describe('the line of a step', () => {
  const long = `${'Do this and that. '.repeat(20)}At last, do the useful thing.`;
  it('keeps messages, reasons and warnings whole', () => {
    const failure = { ...error, message: long };
    const stop = { reason: 'interrupted', message: long } as const;
    const warning = { code: 'SAME_FILE', message: long, steps: [] } as const;
    const retry = { stepId: 'a', attempt: 1, code: 'NETWORK', message: long, delayMs: 1 } as const;
    const events: BatchEvent[] = [
      finished({ state: 'failed', error: failure }),
      { type: 'step-retry', ...retry },
      { type: 'stopping', stop },
      { type: 'warning', warning },
    ];
    for (const event of events) expect(describeBatchEvent(event, PLAIN)).toContain(long);
  });

  it.each<[Partial<StepStartedEvent>, string]>([
    [{ attempt: 1, reason: 'new' }, '→ a'],
    [{ attempt: 2, reason: 'prompt' }, '→ a again: prompt changed'],
    [{ attempt: 2, reason: 'failed' }, '→ a again: failed in the last run'],
    [{ attempt: 3 }, '→ a again'],
  ])('tells why a step runs again: %o', (more, line) => {
    const progress = new BatchProgress(0);
    const event: BatchEvent = { type: 'step-started', stepId: 'a', attempt: 1, lane: 0, ...more };
    progress.accept(event, 0);
    expect(describeBatchEvent(event, PLAIN, progress)).toBe(line);
  });

  it('counts the attempts of this run against those that the plan allows', () => {
    const progress = new BatchProgress(0, { retriesOf: () => 2 });
    const accept = (event: BatchEvent): string | undefined => {
      progress.accept(event, 0);
      return describeBatchEvent(event, PLAIN, progress);
    };
    const failure = { code: 'RATE_LIMITED', message: 'slow down', delayMs: 2000 } as const;
    accept({ type: 'step-started', stepId: 'a', attempt: 5, lane: 0, reason: 'prompt' });
    expect(accept({ type: 'step-retry', stepId: 'a', attempt: 5, ...failure })).toBe(
      '↻ a RATE_LIMITED: slow down (attempt 2 of 3 in 2.0 s)',
    );
    expect(
      accept({ type: 'step-started', stepId: 'a', attempt: 6, lane: 0, reason: 'retry' }),
    ).toBe('→ a attempt 2 of 3');
  });

  it('has time and tokens of the last attempt, and those of all attempts apart', () => {
    const usage = (total: number) => {
      return {
        total,
        input: 0,
        output: 0,
        cached: 0,
        thoughts: 0,
        tool: 0,
        models: {},
        toolCalls: 0,
      };
    };
    const at = (second: number) => new Date(second * 1000).toISOString();
    const common = { lane: 0, outcome: 'succeeded', repairs: 0 } as const;
    const attempts = [
      { ...common, number: 1, startedAt: at(0), endedAt: at(8), usage: usage(100) },
      {
        ...common,
        number: 2,
        startedAt: at(20),
        endedAt: at(25),
        mergedAt: at(31),
        waitedMs: 3000,
        usage: usage(1340),
      },
    ];
    const event = finished({ attempts, durationMs: 10_000, waitMs: 9000, usage: usage(1440) });
    expect(describeBatchEvent(event, PLAIN)).toBe(
      '✓ a 2.0 s · waited 9.0 s · 1,340 tokens · 1 file · all 2 attempts: 10.0 s, 1,440 tokens',
    );
    const cut = { ...common, number: 0, startedAt: at(0), outcome: 'interrupted' } as const;
    const sumOf = (list: readonly AttemptReport[]) => {
      const usageOfAll = { durationMs: 10_000, usage: usage(1440) };
      const line = describeBatchEvent(finished({ attempts: list, ...usageOfAll }), PLAIN);
      return line?.split(' · 1 file · ')[1];
    };
    expect(sumOf([cut, ...attempts])).toBe(
      'all 2 attempts: 10.0 s, 1,440 tokens, and 1 interrupted',
    );
    expect(sumOf([cut, cut, ...attempts.slice(1)])).toBe('2 attempts interrupted before');
  });
});

describe('the exit code of a batch', () => {
  const stop = (reason: 'AUTH' | 'QUOTA_EXHAUSTED' | 'maxFailures') => ({ reason, message: '' });
  it.each([
    [{ outcome: 'succeeded' as const }, 0],
    [{ outcome: 'failed' as const }, 10],
    [{ outcome: 'stopped' as const, stop: stop('maxFailures') }, 11],
    [{ outcome: 'stopped' as const, stop: stop('AUTH') }, 3],
    [{ outcome: 'stopped' as const, stop: stop('QUOTA_EXHAUSTED') }, 4],
  ])('depends on outcome and stop reason: %o', (more, code) => {
    const { stop: _, ...rest } = report;
    expect(batchExitCode({ ...rest, ...more })).toBe(code);
  });
});
