import fc from 'fast-check';
import { expect, it } from 'vitest';
import { backoffMs } from '../../../src/batch/run/backoff.js';

it('the delay doubles up to one minute, and half of it is random', () => {
  const span = (failures: number) => [0, 1].map((at) => backoffMs(failures, undefined, () => at));
  expect([1, 2, 3, 7, 50].map(span)).toEqual([
    [500, 1000],
    [1000, 2000],
    [2000, 4000],
    [30_000, 60_000],
    [30_000, 60_000],
  ]);
});

it('the delay is never shorter than the API has asked for', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 2000 }),
      fc.nat(1e9),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (failures, named, chance) => {
        const delay = backoffMs(failures, named, () => chance);
        expect(delay).toBeGreaterThanOrEqual(named);
        expect(Number.isFinite(delay)).toBe(true);
      },
    ),
  );
});
