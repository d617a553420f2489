import { describe, expect, it } from 'vitest';
import { ProcessTreePoll } from '../../../src/base/process/poll-process-tree.js';

/** Counts the polls within a time of a fake clock. `lookIfDue` is called every 100 ms; each poll takes `costMs`. */
async function pollsWithin(ms: number, costMs: number, isTagged = false): Promise<number> {
  let now = 0;
  let polls = 0;
  const refresh = () => {
    polls++;
    now += costMs;
  };
  const poll = new ProcessTreePoll({ refresh }, Promise.resolve(isTagged), () => now);
  await Promise.resolve();
  for (; now < ms; now += 100) poll.pollIfDue();
  return polls;
}

describe('ProcessTreePoll', () => {
  it('polls at once, then about three times a second if a poll is cheap', async () => {
    expect(await pollsWithin(100, 0)).toBe(1);
    expect(await pollsWithin(9_000, 0)).toBe(30);
  });

  it('polls less often if a poll is slow, so that polling takes one percent of the time', async () => {
    const polls = await pollsWithin(100_000, 10);
    expect(polls * 10).toBeLessThanOrEqual(1_000);
    expect(polls).toBeGreaterThan(80);
  });

  it('does not poll if the processes are tagged', async () => {
    expect(await pollsWithin(9_000, 0, true)).toBe(0);
  });
});
