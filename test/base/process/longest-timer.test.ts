import { describe, expect, it, vi } from 'vitest';
import {
  LONGEST_TIMER_MS,
  LONGEST_TIMER_SECONDS,
} from '../../../src/base/process/longest-timer.js';

describe('the longest timer of Node', () => {
  it('does not fire at once', async () => {
    const fired = vi.fn();
    const timer = setTimeout(fired, LONGEST_TIMER_MS);
    await new Promise((resolve) => setTimeout(resolve, 20));
    clearTimeout(timer);
    expect(fired).not.toHaveBeenCalled();
  });

  it('is rounded down to whole seconds for options', () => {
    expect(LONGEST_TIMER_SECONDS).toBe(2_147_483);
  });
});
