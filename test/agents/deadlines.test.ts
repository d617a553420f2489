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

describe('the clocks of a run', () => {
  it('report the start that did not come', () => {
    const { expired } = start({});
    vi.advanceTimersByTime(499);
    expect(expired).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(expired).toEqual(['start 500']);
  });

  it('report the whole run once it has started', () => {
    const { deadlines, expired } = start({});
    deadlines.started();
    vi.advanceTimersByTime(999);
    expect(expired).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(expired).toEqual(['total 1000']);
  });

  it('count what earlier turns have spent, and report the whole', () => {
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

  it('report silence, which every sign of life puts off', () => {
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

  it('do not count silence where no limit was set', () => {
    const { deadlines, expired } = start({ startTimeoutMs: 5000 });
    deadlines.active();
    vi.advanceTimersByTime(999);
    expect(expired).toEqual([]);
    expect(vi.getTimerCount()).toBe(2);
  });

  it('report the first that runs out, and none of the others', () => {
    const { expired } = start({ timeoutMs: 300, startTimeoutMs: 200, idleTimeoutMs: 100 });
    vi.advanceTimersByTime(10_000);
    expect(expired).toEqual(['idle 100']);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('are silent once they have been stopped', () => {
    const { deadlines, expired } = start({ idleTimeoutMs: 100 });
    deadlines.stop();
    vi.advanceTimersByTime(10_000);
    expect(expired).toEqual([]);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('clocks that were stopped', () => {
  it('are not wound up again by late output', () => {
    const { deadlines, expired } = start({ idleTimeoutMs: 10 });
    deadlines.stop();
    deadlines.active();
    vi.advanceTimersByTime(5000);
    expect(expired).toEqual([]);
  });
});
