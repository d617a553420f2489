import { describe, expect, it } from 'vitest';
import { createFoldedClock, findFolds } from '../../../../src/report/page/model/folded-time.js';

function span(startMs: number, endMs: number) {
  return { startMs, endMs };
}

describe('the time between runs', () => {
  const whole = span(0, 100_000);

  it('is the longest time in which nothing ran', () => {
    const activity = [span(0, 10_000), span(12_000, 20_000), span(80_000, 100_000)];
    expect(findFolds(activity, whole, 40_000)).toEqual([span(20_000, 80_000)]);
  });

  it('may be more than one', () => {
    const activity = [span(0, 10_000), span(40_000, 50_000), span(90_000, 100_000)];
    expect(findFolds(activity, whole, 30_000)).toEqual([
      span(10_000, 40_000),
      span(50_000, 90_000),
    ]);
  });

  it('is not a wait within a run', () => {
    const activity = [span(0, 10_000), span(70_000, 100_000)];
    expect(findFolds(activity, whole, 100_000)).toEqual([]);
    expect(findFolds(activity, whole, 90_000)).toEqual([]);
  });

  it('is not where another lane was busy', () => {
    const activity = [span(0, 95_000), span(5_000, 6_000), span(96_000, 100_000)];
    expect(findFolds(activity, whole, 10_000)).toEqual([span(95_000, 96_000)]);
  });

  it('may lie at the end or make up everything', () => {
    expect(findFolds([span(0, 10_000)], whole, 10_000)).toEqual([span(10_000, 100_000)]);
    expect(findFolds([], whole, 0)).toEqual([whole]);
  });

  it.each([-1, 1e12, Number.NaN])(
    'is not found by a duration of %d that makes no sense',
    (duration) => {
      const folds = findFolds([span(0, 100_000)], whole, duration);
      expect(folds).toEqual([]);
    },
  );
});

describe('a clock with folds', () => {
  const clock = createFoldedClock(span(1_000, 11_000), [span(3_000, 5_000), span(8_000, 9_000)]);

  it('counts what is left', () => {
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
