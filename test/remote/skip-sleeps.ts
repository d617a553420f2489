import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers/promises';
import { onTestFinished, vi } from 'vitest';

/**
 * Lets the sleeps of the source end at once, and moves the monotonic clock by their time, until the test ends. Returns the times.
 *
 * @param onSleep called before each sleep ends
 */
export function skipSleeps(onSleep: (ms: number) => void = () => {}): readonly number[] {
  const slept: number[] = [];
  const delay = timers.setTimeout;
  vi.useFakeTimers({ toFake: ['performance'] });
  const spy = vi.spyOn(timers, 'setTimeout').mockImplementation((ms = 0, value, options) => {
    slept.push(ms);
    onSleep(ms);
    vi.advanceTimersByTime(ms);
    return delay(0, value, options);
  });
  syncBuiltinESMExports();
  onTestFinished(() => {
    spy.mockRestore();
    syncBuiltinESMExports();
    vi.useRealTimers();
  });
  return slept;
}
