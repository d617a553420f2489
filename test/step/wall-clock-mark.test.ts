import { afterEach, expect, it, vi } from 'vitest';
import { WallClockMark } from '../../src/step/wall-clock-mark.js';

const HOUR_MS = 3_600_000;

afterEach(() => vi.restoreAllMocks());

/** Moves the wall clock. `performance.now()` goes on as before. */
function moveClock(ms: number): void {
  const now = Date.now();
  vi.spyOn(Date, 'now').mockReturnValue(now + ms);
}

it('is a time stamp of the wall clock', () => {
  const before = Date.now();
  const mark = new WallClockMark();
  expect(mark.wasSetBack).toBe(false);
  expect(mark.sinceMs).toBeGreaterThanOrEqual(before);
  expect(mark.sinceMs).toBeLessThanOrEqual(Date.now());
});

it('moves back with a clock that is set back, so that later time stamps are not below it', () => {
  const mark = new WallClockMark();
  moveClock(-HOUR_MS);
  expect(mark.wasSetBack).toBe(true);
  expect(mark.sinceMs).toBeLessThanOrEqual(Date.now());
  expect(mark.sinceMs).toBeGreaterThan(Date.now() - 10_000);
});

it('stays where it is if the clock is set forward', () => {
  const mark = new WallClockMark();
  const { sinceMs } = mark;
  moveClock(HOUR_MS);
  expect(mark.wasSetBack).toBe(false);
  expect(mark.sinceMs).toBe(sinceMs);
});
