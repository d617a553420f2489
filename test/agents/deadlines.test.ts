import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Deadlines, type Limits } from '../../src/agents/deadlines.js';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function start(limits: Partial<Limits>) {
  const expired: string[] = [];
  const all: Limits = { timeoutMs: 1000, startTimeoutMs: 500, idleTimeoutMs: undefined, ...limits };
  const deadlines = new Deadlines(all, (phase, limitMs) => expired.push(`${phase} ${limitMs}`));
  return { deadlines, expired };
}

describe('the timers of a turn', () => {
  it('report an agent that does not start in time', () => {
    const { expired } = start({});
    vi.advanceTimersByTime(499);
    expect(expired).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(expired).toEqual(['start 500']);
  });

  it('report the total limit after the start', () => {
    const { deadlines, expired } = start({});
    deadlines.started();
    vi.advanceTimersByTime(999);
    expect(expired).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(expired).toEqual(['total 1000']);
  });

  it('subtract the time of earlier turns, and report the whole limit', () => {
    const { deadlines, expired } = start({ spentMs: 700 });
    deadlines.started();
    vi.advanceTimersByTime(299);
    expect(expired).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(expired).toEqual(['total 1000']);
    const { expired: late } = start({ spentMs: 1700 });
    vi.advanceTimersByTime(1);
    expect(late).toEqual(['total 1000']);
  });

  it('report an idle agent, and restart with every output', () => {
    const { deadlines, expired } = start({ idleTimeoutMs: 100 });
    deadlines.started();
    for (let round = 0; round < 5; round++) {
      vi.advanceTimersByTime(99);
      deadlines.active();
    }
    expect(expired).toEqual([]);
    vi.advanceTimersByTime(100);
    expect(expired).toEqual(['idle 100']);
  });

  it('do not report an idle agent if no idle limit is set', () => {
    const { deadlines, expired } = start({ startTimeoutMs: 5000 });
    deadlines.active();
    vi.advanceTimersByTime(999);
    expect(expired).toEqual([]);
    expect(vi.getTimerCount()).toBe(2);
  });

  it('report the first timer that expires, and no other', () => {
    const { expired } = start({ timeoutMs: 300, startTimeoutMs: 200, idleTimeoutMs: 100 });
    vi.advanceTimersByTime(10_000);
    expect(expired).toEqual(['idle 100']);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('report nothing after a stop', () => {
    const { deadlines, expired } = start({ idleTimeoutMs: 100 });
    deadlines.stop();
    vi.advanceTimersByTime(10_000);
    expect(expired).toEqual([]);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('timers that were stopped', () => {
  it('are not restarted by late output', () => {
    const { deadlines, expired } = start({ idleTimeoutMs: 10 });
    deadlines.stop();
    deadlines.active();
    vi.advanceTimersByTime(5000);
    expect(expired).toEqual([]);
  });
});
