import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Alarm, settlesWithin, sleep } from '../../src/process/timing.js';

describe('waiting for a promise', () => {
  it.each([
    ['is fulfilled', () => Promise.resolve('x'), true],
    ['is rejected', () => Promise.reject(new Error('x')), true],
    ['stays open', () => new Promise(() => {}), false],
  ])('that %s takes no longer than allowed', async (_what, start, expected) => {
    expect(await settlesWithin(start(), 20)).toBe(expected);
  });

  it('that is slower than the limit says so, and its failure later does no harm', async () => {
    const late = sleep(30).then(() => Promise.reject(new Error('late')));
    expect(await settlesWithin(late, 5)).toBe(false);
    await expect(late).rejects.toThrow('late');
  });
});

describe('an alarm', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  async function isOver(wait: Promise<void>): Promise<boolean> {
    let over = false;
    void wait.then(() => {
      over = true;
    });
    await vi.advanceTimersByTimeAsync(0);
    return over;
  }

  it('is waited for as long as was asked', async () => {
    const wait = new Alarm().wait(100);
    await vi.advanceTimersByTimeAsync(99);
    expect(await isOver(wait)).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(await isOver(wait)).toBe(true);
  });

  it('that rings ends the present wait and all later ones, and leaves no timer', async () => {
    const alarm = new Alarm();
    const wait = alarm.wait(100);
    alarm.ring();
    expect(await isOver(wait)).toBe(true);
    expect(await isOver(alarm.wait(100))).toBe(true);
    expect(vi.getTimerCount()).toBe(0);
  });
});
