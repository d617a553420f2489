import { describe, expect, it } from 'vitest';
import type { BatchEvent } from '../../src/api/batch-event.js';
import type { BatchReport } from '../../src/api/batch-report.js';
import type { StepReport } from '../../src/api/step-report.js';
import { ProviderError } from '../../src/base/errors/provider-error.js';
import { buildReport } from '../../src/batch/ledger/build-report.js';
import { LedgerFold } from '../../src/batch/ledger/fold-ledger.js';
import { describeBatchEvent, describeReport, formatSeconds } from '../../src/cli/batch-lines.js';
import { batchExitCode } from '../../src/cli/exit-status.js';
import { PLAIN } from '../../src/cli/output.js';
import { date, RECORDED } from '../batch/ledger/record-ledger.js';

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
    [finished({ state: 'cancelled' }), '- a cancelled'],
    [finished({ state: 'failed', error: undefined }), '✗ a  '],
    [
      finished({ state: 'succeeded', usage: undefined, files: [] }),
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
      '↻ a NETWORK: x y (retry in 1.5 s)',
    ],
    [{ type: 'paused', untilMs: 0 }, 'Paused until 00:00:00 UTC'],
    [{ type: 'concurrency', limit: 2 }, 'Concurrency is now 2'],
    [{ type: 'batch-finished', report }, undefined],
  ])('describe an event, or skip it', (event, line) => {
    expect(describeBatchEvent(event, PLAIN)).toBe(line);
  });

  it('end with the outcome, the reason of the stop and the report file', () => {
    expect(describeReport(report, '/out/report.html', PLAIN)).toBe(
      'stopped 2 of 3 steps succeeded · 1 reused · 1 cancelled · 1 file · 15 tokens · 14.0 s\n→ stop\nReport: /out/report.html',
    );
  });

  it('repeat the first failures at the end, each with its hint', () => {
    if (first === undefined) throw new Error('no step');
    const failed = {
      ...first,
      reused: false,
      state: 'failed' as const,
      error: { ...error, hint: 'do this' },
    };
    const counts = { ...report.counts, succeeded: 0, failed: 12, cancelled: 0 };
    const steps = Array.from({ length: 12 }, () => failed);
    const lines = describeReport({ ...report, counts, steps }, '/r', PLAIN).split('\n');
    expect(lines.slice(0, 2)).toEqual(['✗ a TOOL_FAILED it broke', '  do this']);
    expect(lines.slice(20, 22)).toEqual([
      '  and 2 more failures',
      'stopped 0 of 12 steps succeeded · 12 failed · 1 file · 15 tokens · 14.0 s',
    ]);
  });

  it.each([
    [0, '0.0 s'],
    [59_949, '59.9 s'],
    [59_960, '1 min 0 s'],
    [119_700, '2 min 0 s'],
    [3_600_000, '60 min 0 s'],
  ])('show %i ms as %s', (ms, text) => {
    expect(formatSeconds(ms)).toBe(text);
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
