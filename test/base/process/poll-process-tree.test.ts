import { describe, expect, it } from 'vitest';
import { ProcessTreePoll } from '../../../src/base/process/poll-process-tree.js';

/** Asks every tenth of a second of a clock of its own, in which a look takes this long. */
async function looksWithin(ms: number, costMs: number, isMarked = false): Promise<number> {
  let now = 0;
  let looks = 0;
  const look = () => {
    looks++;
    now += costMs;
  };
  const watch = new ProcessTreePoll({ look }, Promise.resolve(isMarked), () => now);
  await Promise.resolve();
  for (; now < ms; now += 100) watch.lookIfDue();
  return looks;
}

describe('the watch over a family', () => {
  it('looks at once, and then three times a second where that is cheap', async () => {
    expect(await looksWithin(100, 0)).toBe(1);
    expect(await looksWithin(9_000, 0)).toBe(30);
  });

  it('looks so much less often where a look is dear that it costs a hundredth of the time', async () => {
    const looks = await looksWithin(100_000, 10);
    expect(looks * 10).toBeLessThanOrEqual(1_000);
    expect(looks).toBeGreaterThan(80);
  });

  it('does not look where the processes are marked', async () => {
    expect(await looksWithin(9_000, 0, true)).toBe(0);
  });
});
