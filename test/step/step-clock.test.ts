import { describe, expect, it } from 'vitest';
import { StepClock } from '../../src/step/step-clock.js';
import { failureOf } from '../fixtures/cli/support.js';

const never = new Promise<never>(() => {});
const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe('the clock of a step', () => {
  it('counts the preparation and the turns, but not the wait for a pool slot', async () => {
    const clock = new StepClock(60_000, undefined);
    await clock.prepare(() => wait(30));
    const preparedMs = clock.spentMs;
    expect(preparedMs).toBeGreaterThan(20);
    await wait(30);
    expect(clock.spentMs).toBe(preparedMs);
    clock.turnEnded(performance.now() - 50, false);
    expect(clock.spentMs).toBeGreaterThanOrEqual(preparedMs + 50);
  });

  it('ends work that does not end itself with TIMEOUT', async () => {
    const clock = new StepClock(30, undefined);
    const late = { code: 'TIMEOUT', phase: 'total' };
    expect(await failureOf(() => clock.prepare(() => never))).toMatchObject(late);
    expect(await failureOf(() => clock.check(() => never))).toMatchObject(late);
  });

  it('ends work with the reason of the caller after an abort', async () => {
    const cancel = new AbortController();
    const clock = new StepClock(60_000, cancel.signal);
    setTimeout(() => cancel.abort('enough'), 20);
    expect(await failureOf(() => clock.check(() => never))).toBe('enough');
    expect(clock.failure).toMatchObject({ code: 'CANCELLED' });
  });

  it('passes on the failures of the work', async () => {
    const clock = new StepClock(60_000, undefined);
    const act = () => clock.check(() => Promise.reject(new Error('broken')));
    expect(await failureOf(act)).toMatchObject({ message: 'broken' });
  });

  it('leaves some time after a stop for what belongs to the result', async () => {
    const clock = new StepClock(60_000, undefined);
    clock.turnEnded(performance.now(), true);
    const isAborted = await clock.conclude(async (signal) => {
      await wait(20);
      const early = signal.aborted;
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      return [early, signal.aborted];
    });
    expect(isAborted).toEqual([false, true]);
    // All later work shares that time.
    expect(await clock.conclude(async (signal) => signal.aborted)).toBe(true);
    expect(clock.failure).toMatchObject({ code: 'TIMEOUT', phase: 'total' });
  });

  it('sets no limit to the result of a step that has time left', async () => {
    const clock = new StepClock(60_000, undefined);
    clock.turnEnded(performance.now(), false);
    expect(await clock.conclude(async (signal) => signal.aborted)).toBe(false);
  });
});
