import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { BatchEvent, StepRetryEvent } from '../../../src/api/batch-event.js';
import { BatchProgress, type PlanFacts } from '../../../src/cli/batch/batch-progress.js';
import { renderBatchView } from '../../../src/cli/batch/batch-rows.js';
import { widthOf } from '../../../src/cli/output/fit-width.js';
import { PLAIN } from '../../../src/cli/output/output.js';

const WIDE = { columns: 120, rows: 30, paint: PLAIN };

function fold(events: readonly BatchEvent[], plan?: PlanFacts): BatchProgress {
  const progress = new BatchProgress(0, plan);
  for (const event of events) progress.accept(event, 0);
  return progress;
}

function begin(ids: readonly string[], total = ids.length): BatchEvent[] {
  const steps = [...ids, ...Array.from({ length: total - ids.length }, (_, n) => `later-${n}`)];
  return [
    { type: 'batch-started', name: 'n', planHash: 'h', steps, isFresh: true },
    ...ids.map((stepId, lane): BatchEvent => {
      return { type: 'step-started', stepId, attempt: 1, lane };
    }),
  ];
}

function status(stepId: string, message: string, more: object = {}): BatchEvent {
  const event = { type: 'session-status', status: 'retrying', message, ...more } as const;
  return { type: 'step-progress', stepId, event };
}
const waiting = (stepId: string, behind?: string): BatchEvent => {
  return { type: 'step-waiting', stepId, waitsFor: 'merge', behind };
};
const slot = (stepId: string): BatchEvent => ({ type: 'step-waiting', stepId, waitsFor: 'slot' });
const merging = (stepId: string): BatchEvent => {
  return { type: 'step-waiting', stepId, waitsFor: 'merging' };
};
function retry(stepId: string, code: 'RATE_LIMITED' | 'NETWORK', delayMs: number): StepRetryEvent {
  return { type: 'step-retry', stepId, attempt: 1, code, message: 'm', delayMs };
}

it('the view has a row for each step at work: what it does or waits for, and for how long', () => {
  const progress = fold([
    ...begin(['a', 'b', 'c'], 60),
    status('a', 'writing'),
    slot('b'),
    status('c', 'slow down', { httpStatus: 429, delayMs: 63_500 }),
  ]);
  expect(renderBatchView(progress, 61_000, WIDE)).toEqual([
    '→ a writing · 1 min 1 s',
    '· b waiting for a slot · 1 min 1 s',
    '→ c rate limited, 3 s · 1 min 1 s',
    `${'░'.repeat(24)} 0/60 · 1 min 1 s · 0 tokens · 0.0 steps/min`,
  ]);
});

it('steps that wait for their merge are one line, and no row at work', () => {
  const ids = ['a', 'b', 'c', 'd', 'e', 'f'];
  const events = [
    ...begin(ids),
    ...['b', 'c', 'd'].map((id) => waiting(id, 'convert[src/mod09.js]')),
  ];
  const lines = renderBatchView(fold(events), 1000, WIDE);
  expect(lines.slice(0, 3).map((line) => line.slice(0, 4))).toEqual(['→ a ', '→ e ', '→ f ']);
  expect(lines[3]).toBe('  3 finished, waiting to be merged behind convert[src/mod09.js]');
  expect(lines).toHaveLength(5);
  const more = fold([...events, waiting('e', 'x'), merging('f'), waiting('b')]);
  expect(renderBatchView(more, 0, WIDE)[1]).toBe(
    '  merging f · 4 finished, waiting to be merged behind convert[src/mod09.js] and others',
  );
  const two = fold([...begin(['a', 'b', 'c']), merging('a'), merging('b'), waiting('c')]);
  expect(renderBatchView(two, 0, WIDE)[0]).toBe('  merging 2 · 1 finished, waiting to be merged');
});

it('a step whose agent has finished is no row at work', () => {
  const event = { type: 'turn-complete', subtype: 'success', isError: false } as const;
  const progress = fold([...begin(['a']), { type: 'step-progress', stepId: 'a', event }]);
  expect(renderBatchView(progress, 0, WIDE)[0]).toBe('  1 finished, being saved');
});

it('steps that wait for their next attempt are one line with reason, number and time', () => {
  const ids = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
  const plan = { retriesOf: () => 2 };
  const one = fold([...begin(ids), retry('a', 'RATE_LIMITED', 1200)], plan);
  expect(renderBatchView(one, 0, WIDE)[6]).toBe('↻ a rate limited, attempt 2 of 3 in 2 s');
  const all = fold([...begin(ids), ...ids.map((id) => retry(id, 'NETWORK', 1200))]);
  const [line] = renderBatchView(all, 0, { ...WIDE, columns: 200 });
  expect(line).toMatch(/^↻ a NETWORK, attempt 2 in 2 s · b .* · e [^·]* · 2 more$/);
  const [narrow] = renderBatchView(all, 0, { ...WIDE, columns: 50 });
  expect(narrow).toBe('↻ a NETWORK, attempt 2 in 2 s · 6 more');
  const [narrowest] = renderBatchView(all, 0, { ...WIDE, columns: 40 });
  expect(narrowest).toBe('↻ 7 waiting for a retry');
});

it('a row names the attempt after a retry', () => {
  const again: BatchEvent = { type: 'step-started', stepId: 'a', attempt: 2, lane: 0 };
  const events = [...begin(['a']), retry('a', 'NETWORK', 1), again];
  const rows = (plan?: PlanFacts) => renderBatchView(fold(events, plan), 0, WIDE)[0];
  expect(rows()).toBe('→ a (attempt 2) starting · 0.0 s');
  expect(rows({ retriesOf: () => 4 })).toBe('→ a (2 of 5) starting · 0.0 s');
});

it('a row names the fallback model, whose attempts are not counted up to the retries', () => {
  const start = (attempt: number, model: string): BatchEvent => {
    return { type: 'step-started', stepId: 'a', attempt, lane: 0, model };
  };
  const plan = { retriesOf: () => 0 };
  const failed: BatchEvent = { ...retry('a', 'RATE_LIMITED', 0), model: 'other' };
  const waiting = fold([start(1, 'first'), failed], plan);
  expect(renderBatchView(waiting, 0, WIDE)[0]).toContain('rate limited, attempt 2 with other in');
  const again = fold([start(1, 'first'), failed, start(2, 'other')], plan);
  expect(renderBatchView(again, 0, WIDE)[0]).toBe('→ a (attempt 2 with other) starting · 0.0 s');
});

it('the last line shows as many facts as fit, each of them whole', () => {
  const progress = fold(
    [
      ...begin(['a'], 5000),
      { type: 'concurrency', limit: 2 },
      { type: 'paused', cause: 'rate-limit', untilMs: 90_000 },
      { type: 'stopping', stop: { reason: 'interrupted', message: '' } },
    ],
    { concurrency: 4 },
  );
  progress.counts.failed = 3;
  progress.counts.skipped = 7;
  progress.finished = 2500;
  progress.tokens = 123_456;
  const last = (columns: number) => {
    return renderBatchView(progress, 60_000, { ...WIDE, columns }).at(-1) ?? '';
  };
  expect(last(160)).toBe(
    `${'█'.repeat(12)}${'░'.repeat(12)} 2500/5000 · 3 failed · stopping · rate limited, 30 s · 1 min 0 s · 123,456 tokens · 7 skipped · concurrency 2 of 4 · 0.0 steps/min`,
  );
  expect(last(60)).toBe(
    `${'█'.repeat(5)}${'░'.repeat(5)} 2500/5000 · 3 failed · stopping · 1 min 0 s`,
  );
  expect(last(40)).toBe('2500/5000 · 3 failed · stopping');
});

it('long names and paths keep their ends', () => {
  const id = 'convert[packages/application/src/components/button.tsx]';
  const progress = fold([
    ...begin([id]),
    status(id, 'write_file packages/application/src/button.tsx'),
  ]);
  expect(renderBatchView(progress, 2100, { ...WIDE, columns: 40 })[0]).toBe(
    '→ convert…n.tsx] write_f…on.tsx · 2.1 s',
  );
});

it('the view shows the number of steps at work that do not fit', () => {
  const progress = fold(begin(Array.from({ length: 50 }, (_, n) => `s${n}`)));
  const lines = renderBatchView(progress, 0, { ...WIDE, rows: 6 });
  expect(lines).toHaveLength(6);
  expect(lines[4]).toBe('  and 46 more');
});

it('the view never has a line as wide as the terminal, nor more lines than allowed', () => {
  const names = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom('変換[日本語.ts]', '👩‍👩‍👧', 'x\u001b[2J\ny'),
  );
  const sizes = [fc.integer({ min: 2, max: 200 }), fc.integer({ min: -3, max: 40 })] as const;
  fc.assert(
    fc.property(
      ...sizes,
      fc.nat(60),
      names,
      names,
      fc.nat(1e8),
      (columns, rows, lanes, name, text, nowMs) => {
        const ids = Array.from({ length: lanes }, (_, lane) => `${lane}${name}`);
        const events = ids.map((id, lane) => {
          if (lane % 5 === 1) return waiting(id, name);
          if (lane % 5 === 2) return retry(id, 'NETWORK', 5);
          return lane % 5 === 3 ? slot(id) : status(id, text);
        });
        const progress = fold([...begin(ids), ...events]);
        const lines = renderBatchView(progress, nowMs, { columns, rows, paint: PLAIN });
        expect(lines.length).toBeLessThanOrEqual(Math.max(1, rows));
        for (const line of lines) {
          expect(widthOf(line)).toBeLessThan(columns);
          expect(line).not.toMatch(/\p{Cc}/u);
        }
      },
    ),
  );
});

it('a narrow terminal shows phrases whole as long as names stay readable', () => {
  const ids = [0, 1, 2, 3].map((n) => `convert[packages/application/mod000${n}.tsx]`);
  const [a = '', b = '', c = '', d = ''] = ids;
  const progress = fold([
    ...begin(ids),
    status(a, 'waiting for the model'),
    status(b, 'slow down', { httpStatus: 429, delayMs: 8000 }),
    waiting(c, a),
    retry(d, 'RATE_LIMITED', 4000),
  ]);
  expect(renderBatchView(progress, 0, { ...WIDE, columns: 40 }).slice(0, 4)).toEqual([
    '→ convert…0.tsx] waiting for t… · 0.0 s',
    '→ conve….tsx] rate limited, 8 s · 0.0 s',
    '  1 finished, waiting to be merged',
    '↻ con…x] rate limited, attempt 2 in 4 s',
  ]);
});
