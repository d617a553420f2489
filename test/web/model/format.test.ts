import { describe, expect, it } from 'vitest';
import {
  formatBytes,
  formatCompact,
  formatCount,
  formatDuration,
  formatLater,
  formatTime,
} from '../../../src/web/model/format.js';

describe('a duration', () => {
  it.each([
    [0, '0 ms'],
    [999.4, '999 ms'],
    [1_000, '1.0 s'],
    [9_940, '9.9 s'],
    [59_940, '60 s'],
    [59_960, '1 min'],
    [61_000, '1 min 1 s'],
    [3_599_400, '59 min 59 s'],
    [3_600_000, '1 h'],
    [7_980_000, '2 h 13 min'],
    [200_000_000, '2 d 8 h'],
    [-5, '–'],
    [Number.NaN, '–'],
  ])('of %d ms is formatted as %s', (ms, shown) => {
    expect(formatDuration(ms)).toBe(shown);
  });
});

describe('a number', () => {
  it.each([
    [999, '999'],
    [1_240_000, '1.24M'],
    [48_200, '48.2K'],
  ])('%d is %s in short form', (value, shown) => {
    expect(formatCompact(value)).toBe(shown);
  });

  it.each([
    [0, '0 B'],
    [999, '999 B'],
    [1_200, '1.2 kB'],
    [9_960, '10 kB'],
    [999_700, '1.0 MB'],
    [5e15, '5000 TB'],
  ])('of %d bytes is %s', (bytes, shown) => {
    expect(formatBytes(bytes)).toBe(shown);
  });

  it('is followed by the singular or plural of its noun', () => {
    expect([formatCount(1, 'retry', 'retries'), formatCount(1_200, 'step')]).toEqual([
      '1 retry',
      '1,200 steps',
    ]);
  });
});

describe('a time', () => {
  const local = (hour: number, day = 3): string => new Date(2025, 2, day, hour, 5, 9).toISOString();

  it('is formatted in the local time zone', () => {
    expect(formatTime(local(7))).toBe('2025-03-03 07:05:09');
  });

  it('is formatted without the day if the earlier time has the same day', () => {
    expect(formatLater(local(9), local(7))).toBe('09:05:09');
    expect(formatLater(local(9, 4), local(7))).toBe('2025-03-04 09:05:09');
  });

  it('that cannot be parsed stays as it is', () => {
    expect(formatTime('yesterday')).toBe('yesterday');
  });
});
