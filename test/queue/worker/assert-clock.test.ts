import { expect, it } from 'vitest';
import { StoreClock } from '../../../src/queue/store/store-clock.js';
import { assertClock } from '../../../src/queue/worker/assert-clock.js';

async function clockAt(offsetMs: number): Promise<StoreClock> {
  const clock = new StoreClock(async () => Date.now() + offsetMs);
  await clock.compare();
  return clock;
}

it('refuses a worker on PostgreSQL whose clock is off by half of the lock', async () => {
  const clock = await clockAt(20_000);
  expect(() => assertClock(clock, { kind: 'postgres' }, 15_000)).toThrow(
    expect.objectContaining({
      code: 'INVALID_CONFIG',
      message: expect.stringMatching(/^The clock of this machine is 20 s behind that of the store/),
    }),
  );
});

it('accepts a small difference, and any on Redis, whose locks go by the clock of the store', async () => {
  const [near, far] = [await clockAt(-5_000), await clockAt(-3_600_000)];
  expect(assertClock(near, { kind: 'postgres' }, 15_000)).toBe(undefined);
  expect(assertClock(far, { kind: 'redis' }, 15_000)).toBe(undefined);
});
