import fc from 'fast-check';
import { expect, it, onTestFinished, vi } from 'vitest';
import type { BatchEvent } from '../../src/api/batch-event.js';
import { BatchProgress } from '../../src/cli/batch-progress.js';
import { BatchView, renderBatchView } from '../../src/cli/batch-view.js';
import { fitWidth, widthOf } from '../../src/cli/fit-width.js';
import { createOutput, PLAIN } from '../../src/cli/output.js';
import { beTerminal } from '../fixtures/cli/terminal.js';

function begin(lanes: number, id: (lane: number) => string, activity = 'writing'): BatchProgress {
  const progress = new BatchProgress(0);
  const steps = Array.from({ length: lanes }, (_, lane) => id(lane));
  const events: BatchEvent[] = [
    { type: 'batch-started', name: 'n', planHash: 'h', steps, isFresh: true },
    ...steps.flatMap((stepId, lane): BatchEvent[] => [
      { type: 'step-started', stepId, attempt: 2, lane },
      {
        type: 'step-progress',
        stepId,
        event: { type: 'session-status', status: 'warning', message: activity },
      },
    ]),
    { type: 'paused', untilMs: 1e9 },
    { type: 'concurrency', limit: 3 },
  ];
  for (const event of events) progress.accept(event, 0);
  return progress;
}

it('the batch view shows attempt, action and duration of each running step, and the progress bar', () => {
  const lines = renderBatchView(
    begin(2, (lane) => `step-${lane}`),
    61_000,
    {
      columns: 100,
      rows: 10,
      paint: PLAIN,
    },
  );
  expect(lines[0]).toBe('→ step-0 #2 writing 1 min 1 s');
  expect(lines.at(-1)).toMatch(
    /^░+ 0\/2 · concurrency 3 · paused .* · 0\.0 steps\/min · 0 tokens$/,
  );
});

it('the batch view never has a line as wide as the terminal, nor more lines than allowed', () => {
  const names = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom('変換[日本語.ts]', '👩‍👩‍👧'),
  );
  fc.assert(
    fc.property(
      fc.integer({ min: 2, max: 200 }),
      fc.integer({ min: 3, max: 40 }),
      fc.nat(60),
      names,
      names,
      fc.nat(1e8),
      (columns, rows, lanes, name, activity, nowMs) => {
        const progress = begin(lanes, (lane) => `${lane}${name}`, activity);
        const lines = renderBatchView(progress, nowMs, { columns, rows, paint: PLAIN });
        expect(lines.length).toBeLessThanOrEqual(rows);
        for (const line of lines) {
          expect(widthOf(line)).toBeLessThan(columns);
          expect(line).not.toMatch(/\p{Cc}/u);
        }
      },
    ),
  );
});

it('the batch view shows the number of running steps that do not fit', () => {
  const lines = renderBatchView(begin(50, String), 0, { columns: 80, rows: 6, paint: PLAIN });
  expect(lines).toHaveLength(6);
  expect(lines[4]).toBe('  and 46 more');
});

it('fitWidth counts two columns for a wide character', () => {
  expect(widthOf('日本a')).toBe(5);
  expect(fitWidth('日本a', 5)).toBe('日本a');
  expect(fitWidth('日本a', 4)).toBe('日…');
  expect(fitWidth('abc', 0)).toBe('');
});

it('the batch view is redrawn on a terminal, and cleared before a line and at the end', () => {
  beTerminal({ stdout: true, stderr: true });
  vi.useFakeTimers();
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  onTestFinished(() => {
    write.mockRestore();
    vi.useRealTimers();
  });
  const take = () => {
    const text = write.mock.calls.map(([chunk]) => String(chunk)).join('');
    write.mockClear();
    return text;
  };
  const view = new BatchView(createOutput({ NO_COLOR: '1' }).stderr);
  view.accept({ type: 'batch-started', name: 'n', planHash: 'h', steps: ['a'], isFresh: true });
  expect(take()).toBe('Batch n: 1 step\n');
  view.accept({ type: 'step-started', stepId: 'a', attempt: 1, lane: 0 });
  expect(take()).toBe('');
  vi.advanceTimersByTime(100);
  expect(take()).toMatch(/^→ a .*\n░+ 0\/1 · .*\n$/);
  vi.advanceTimersByTime(100);
  const clear = '\u001b[1A\u001b[2K\u001b[1A\u001b[2K\r';
  expect(take().startsWith(`${clear}→ a `)).toBe(true);
  view.stop();
  vi.advanceTimersByTime(1_000);
  expect(take()).toBe(clear);
});
