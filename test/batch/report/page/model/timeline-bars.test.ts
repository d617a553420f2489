import { describe, expect, it } from 'vitest';
import type { StepReport } from '../../../../../src/api/step-report.js';
import { createTimeline } from '../../../../../src/batch/report/page/model/timeline.js';
import {
  chooseBars,
  joinMerges,
} from '../../../../../src/batch/report/page/model/timeline-bars.js';
import { layOutTimeline } from '../../../../../src/batch/report/page/model/timeline-layout.js';
import { anAttempt, aReport, aStep, at } from '../../report-builder.js';

function layOut(steps: readonly StepReport[], width: number) {
  return layOutTimeline(createTimeline(aReport(steps)), width);
}

/** Steps of one lane, one right after the other, each merged long after its end. */
function worktreeSteps(count: number, failing = -1): readonly StepReport[] {
  const lengthOf = 600 / count;
  return Array.from({ length: count }, (_, index) => {
    const from = index * lengthOf;
    const outcome = index === failing ? 'TIMEOUT' : 'succeeded';
    return aStep(`s${index}`, {
      isolation: 'worktree',
      attempts: [anAttempt(from, from + lengthOf, { outcome, mergedAt: at(600) })],
    });
  });
}

describe('the bars of a lane', () => {
  it.each([3, 60, 5_000])('never overlap, with %d attempts at any width', (count) => {
    for (const width of [1_200, 330, 40]) {
      const { lanes } = layOut(worktreeSteps(count), width);
      const bars = chooseBars(lanes[0] ?? []);
      bars.slice(1).forEach((bar, index) => {
        const before = bars[index];
        expect(bar.x).toBeGreaterThanOrEqual((before?.x ?? 0) + (before?.width ?? 0));
      });
      expect(bars.length).toBeLessThanOrEqual(Math.min(count, width));
    }
  });

  it('show the failed attempt among many in the same pixels', () => {
    const { lanes } = layOut(worktreeSteps(5_000, 2_345), 300);
    const kinds = chooseBars(lanes[0] ?? []).map(({ item }) => item.kind);
    expect(kinds.filter((kind) => kind === 'failed')).toHaveLength(1);
  });

  it('begin with the wait for a slot', () => {
    const waiting = aStep('s', { attempts: [anAttempt(0, 600, { waitedMs: 150_000 })] });
    const { lanes } = layOut([waiting], 400);
    expect(lanes[0]).toMatchObject([{ x: 0, workX: 100, width: 400 }]);
  });
});

describe('the waits for merges of a lane', () => {
  it('are one stretch where they overlap', () => {
    const { lanes } = layOut(worktreeSteps(60), 600);
    expect(joinMerges(lanes[0] ?? [])).toEqual([{ x: 10, width: 590 }]);
  });

  it('are several stretches where they do not', () => {
    const steps = [0, 300].map((from) =>
      aStep(`s${from}`, { attempts: [anAttempt(from, from + 100, { mergedAt: at(from + 200) })] }),
    );
    expect(joinMerges(layOut(steps, 600).lanes[0] ?? [])).toEqual([
      { x: 100, width: 100 },
      { x: 400, width: 100 },
    ]);
  });
});
