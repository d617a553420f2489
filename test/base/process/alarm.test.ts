import { getEventListeners } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Alarm } from '../../../src/base/process/alarm.js';
import { LONGEST_TIMER_MS } from '../../../src/base/process/longest-timer.js';

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

  it('ends a wait after the given time', async () => {
    const wait = new Alarm().wait(100);
    await vi.advanceTimersByTimeAsync(99);
    expect(await isOver(wait)).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(await isOver(wait)).toBe(true);
  });

  it('ends the current wait and all later ones when it rings, and leaves no timer', async () => {
    const alarm = new Alarm();
    const wait = alarm.wait(100);
    alarm.ring();
    expect(await isOver(wait)).toBe(true);
    expect(await isOver(alarm.wait(100))).toBe(true);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('refuses a second wait at the same time, and still ends the first one', async () => {
    const alarm = new Alarm();
    const first = alarm.wait(100);
    await expect(alarm.wait(100)).rejects.toThrow('The alarm is already waited for');
    await vi.advanceTimersByTimeAsync(100);
    expect(await isOver(first)).toBe(true);
  });

  it('can be waited for again after a reset', async () => {
    const alarm = new Alarm();
    alarm.ring();
    expect(alarm.isRung).toBe(true);
    alarm.reset();
    const wait = alarm.wait(100);
    expect(await isOver(wait)).toBe(false);
    await vi.advanceTimersByTimeAsync(100);
    expect(await isOver(wait)).toBe(true);
    expect(alarm.isRung).toBe(false);
  });

  it('waits for the ring without a timer if no time is given', async () => {
    const alarm = new Alarm();
    const wait = alarm.wait();
    expect(vi.getTimerCount()).toBe(0);
    expect(await isOver(wait)).toBe(false);
    alarm.ring();
    expect(await isOver(wait)).toBe(true);
  });

  it('limits a long wait to the longest timer of Node', async () => {
    const wait = new Alarm().wait(LONGEST_TIMER_MS * 10);
    expect(await isOver(wait)).toBe(false);
    await vi.advanceTimersByTimeAsync(LONGEST_TIMER_MS);
    expect(await isOver(wait)).toBe(true);
  });

  it('ends a wait at an abort and leaves no listener', async () => {
    const cancel = new AbortController();
    const alarm = new Alarm();
    const early = alarm.wait(100, cancel.signal);
    alarm.ring();
    expect(await isOver(early)).toBe(true);
    expect(getEventListeners(cancel.signal, 'abort')).toHaveLength(0);
    alarm.reset();
    const wait = alarm.wait(100, cancel.signal);
    expect(await isOver(wait)).toBe(false);
    cancel.abort();
    expect(await isOver(wait)).toBe(true);
    expect(await isOver(alarm.wait(100, cancel.signal))).toBe(true);
    expect(vi.getTimerCount()).toBe(0);
  });
});
