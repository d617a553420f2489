import { expect, it, onTestFinished, vi } from 'vitest';
import { StoreClock } from '../../../src/queue/store/store-clock.js';

it('an answer that took long and may fit the known difference changes nothing', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  let offsetMs = 0;
  const clock = new StoreClock(async () => {
    const readAtMs = Date.now();
    await vi.advanceTimersByTimeAsync(4_000);
    return readAtMs + offsetMs;
  });
  await clock.compare();
  expect(clock.offsetMs).toBe(0);
  offsetMs = 60_000;
  await clock.compare();
  expect(clock.offsetMs).toBe(58_000);
});

it('gives the time of the store, compares again after a minute, and keeps the last difference without the store', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  let offsetMs = -30_000;
  let asked = 0;
  const clock = new StoreClock(async () => {
    asked++;
    if (asked === 3) throw new Error('away');
    return Date.now() + offsetMs;
  });
  await clock.compare();
  expect(clock.now()).toBe(Date.now() - 30_000);
  expect(clock.describe()).toBe(
    'The clock of this machine is 30 s ahead of that of the store: synchronise both with NTP',
  );
  offsetMs = 500;
  await vi.advanceTimersByTimeAsync(61_000);
  clock.now();
  await vi.advanceTimersByTimeAsync(0);
  expect(clock.now()).toBe(Date.now() + 500);
  expect(clock.describe()).toBe(undefined);
  await vi.advanceTimersByTimeAsync(61_000);
  expect(clock.now()).toBe(Date.now() + 500);
  await vi.advanceTimersByTimeAsync(0);
  expect([asked, clock.offsetMs]).toEqual([3, 500]);
});
