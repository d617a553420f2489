import { describe, expect, it } from 'vitest';
import { createEventLoopYield } from '../../../src/base/process/yield-to-event-loop.js';

const MUCH = 1_000_000;

describe('yielding to the event loop', () => {
  it('lets the event loop run after much work, but not after a little', async () => {
    let turns = 0;
    const count = () => {
      turns++;
      pending = setImmediate(count);
    };
    let pending = setImmediate(count);
    const loop = createEventLoopYield();
    for (let at = 0; at < 100; at++) await loop.spend(1);
    expect(turns).toBe(0);
    for (let at = 0; at < 10; at++) await loop.spend(MUCH);
    expect(turns).toBeGreaterThanOrEqual(9);
    clearImmediate(pending);
  });

  it('throws after an abort, after much work and after a little', async () => {
    const cancel = new AbortController();
    const loop = createEventLoopYield({ signal: cancel.signal });
    expect(loop.signal).toBe(cancel.signal);
    setImmediate(() => cancel.abort('enough'));
    const work = async () => {
      for (;;) await loop.spend(MUCH);
    };
    await expect(work()).rejects.toBe('enough');
    await expect(loop.spend(1)).rejects.toBe('enough');
  });
});
