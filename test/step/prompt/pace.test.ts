import { describe, expect, it } from 'vitest';
import { createPace } from '../../../src/step/prompt/pace.js';

const MUCH = 1_000_000;

describe('a pace', () => {
  it('gives the event loop a turn after much work, and none after a little', async () => {
    let turns = 0;
    const count = () => {
      turns++;
      pending = setImmediate(count);
    };
    let pending = setImmediate(count);
    const pace = createPace();
    for (let at = 0; at < 100; at++) await pace.spend(1);
    expect(turns).toBe(0);
    for (let at = 0; at < 10; at++) await pace.spend(MUCH);
    expect(turns).toBeGreaterThanOrEqual(9);
    clearImmediate(pending);
  });

  it('ends when the caller cancels, be it much work or a little', async () => {
    const cancel = new AbortController();
    const pace = createPace(cancel.signal);
    expect(pace.signal).toBe(cancel.signal);
    setImmediate(() => cancel.abort('enough'));
    const work = async () => {
      for (;;) await pace.spend(MUCH);
    };
    await expect(work()).rejects.toBe('enough');
    await expect(pace.spend(1)).rejects.toBe('enough');
  });
});
