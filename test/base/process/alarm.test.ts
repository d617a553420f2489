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

  it('that was reset is waited for again', async () => {
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

  it('without a time is waited for until the ring, without a timer', async () => {
    const alarm = new Alarm();
    const wait = alarm.wait();
    expect(vi.getTimerCount()).toBe(0);
    expect(await isOver(wait)).toBe(false);
    alarm.ring();
    expect(await isOver(wait)).toBe(true);
  });

  it('is waited for with the longest timer of Node where the time is longer', async () => {
    const wait = new Alarm().wait(LONGEST_TIMER_MS * 10);
    expect(await isOver(wait)).toBe(false);
    await vi.advanceTimersByTimeAsync(LONGEST_TIMER_MS);
    expect(await isOver(wait)).toBe(true);
  });

  it('is not waited for beyond an abort, and leaves no listener', async () => {
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
