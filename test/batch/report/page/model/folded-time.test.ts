import { describe, expect, it } from 'vitest';
import {
  createFoldedClock,
  findFolds,
} from '../../../../../src/batch/report/page/model/folded-time.js';

function span(startMs: number, endMs: number) {
  return { startMs, endMs };
}

describe('findFolds', () => {
  it('returns each pause between runs', () => {
    const runs = [span(0, 10_000), span(40_000, 50_000), span(90_000, 100_000)];
    expect(findFolds(runs)).toEqual([span(10_000, 40_000), span(50_000, 90_000)]);
  });

  it('returns no pause if the next run followed at once or nothing ran', () => {
    expect(findFolds([span(0, 10_000), span(10_900, 20_000)])).toEqual([]);
    expect(findFolds([span(0, 10_000)])).toEqual([]);
    expect(findFolds([])).toEqual([]);
  });

  it('ignores times before the clock was set back and invalid times', () => {
    expect(findFolds([span(0, 50_000), span(10_000, 20_000), span(60_000, 70_000)])).toEqual([
      span(50_000, 60_000),
    ]);
    expect(findFolds([span(Number.NaN, Number.NaN), span(0, 1)])).toEqual([]);
  });
});

describe('a folded clock', () => {
  const clock = createFoldedClock(span(1_000, 11_000), [span(3_000, 5_000), span(8_000, 9_000)]);

  it('has the total time without the folds', () => {
    expect(clock.totalMs).toBe(7_000);
    expect(clock.folds.map(({ elapsedMs }) => elapsedMs)).toEqual([2_000, 5_000]);
  });

  it.each([
    [1_000, 0, 0],
    [2_500, 1_500, 0],
    [3_000, 2_000, 0],
    [4_000, 2_000, 0],
    [5_000, 2_000, 1],
    [7_000, 4_000, 1],
    [8_500, 5_000, 1],
    [9_000, 5_000, 2],
    [11_000, 7_000, 2],
  ])('reads %d as %d after %d folds', (instant, elapsedMs, foldsBefore) => {
    expect(clock.read(instant)).toEqual({ elapsedMs, foldsBefore });
  });
});
