import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { cancelPrompt } from '../../../src/agents/acp/end-prompt.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Cancels a turn that ends after `endsMs`, or never. Returns what happened to its process, and when. */
async function cancel(given: { endsMs?: number; isShared?: boolean; cpuMsPerSecond?: number }) {
  const { endsMs, isShared = true, cpuMsPerSecond = 0 } = given;
  const start = Date.now();
  const done: string[] = [];
  const record = (name: string) => () => void done.push(name);
  const prompting = new Promise((resolve) => {
    if (endsMs !== undefined) setTimeout(resolve, endsMs);
  });
  const slot = {
    process: { pid: 1, isReady: true },
    isShared: () => isShared,
    retire: record('retired'),
    discard: async () => record('discarded')(),
  };
  const parts = { cancel: record('cancelled') };
  const over = cancelPrompt(
    prompting,
    { slot, session: parts, listener: parts, reason: undefined },
    () => ((Date.now() - start) / 1000) * cpuMsPerSecond,
  ).then(() => Date.now() - start);
  await vi.advanceTimersByTimeAsync(60_000);
  return { done: done.slice(2), ms: await over };
}

describe('the process of a cancelled turn', () => {
  it('stays if the turn ends in time', async () => {
    expect(await cancel({ endsMs: 2_900 })).toEqual({ done: [], ms: 2_900 });
  });

  it('is ended if it ignores the cancel, also with other steps on it', async () => {
    const ended = { done: ['discarded'], ms: 3_000 };
    expect(await cancel({})).toEqual(ended);
    expect(await cancel({ cpuMsPerSecond: 10 })).toEqual(ended);
    expect(await cancel({ cpuMsPerSecond: 1_000, isShared: false })).toEqual(ended);
  });

  it('has more time while it is busy and other steps would fail with it', async () => {
    expect(await cancel({ cpuMsPerSecond: 100, endsMs: 8_000 })).toEqual({ done: [], ms: 8_000 });
    expect(await cancel({ cpuMsPerSecond: 100 })).toEqual({ done: ['discarded'], ms: 9_000 });
  });
});
