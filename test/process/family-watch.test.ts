import { describe, expect, it } from 'vitest';
import { FamilyWatch } from '../../src/process/family-watch.js';

/** Asks every tenth of a second of a clock of its own, in which a look takes this long. */
function looksWithin(ms: number, costMs: number): number {
  let now = 0;
  let looks = 0;
  const look = () => {
    looks++;
    now += costMs;
  };
  const watch = new FamilyWatch({ look }, () => now);
  for (; now < ms; now += 100) watch.lookIfDue();
  return looks;
}

describe('the watch over a family', () => {
  it('looks at once, and then three times a second where that is cheap', () => {
    expect(looksWithin(100, 0)).toBe(1);
    expect(looksWithin(9_000, 0)).toBe(30);
  });

  it('looks so much less often where a look is dear that it costs a hundredth of the time', () => {
    expect(looksWithin(100_000, 10) * 10).toBeLessThanOrEqual(1_000);
    expect(looksWithin(100_000, 10)).toBeGreaterThan(80);
  });
});
