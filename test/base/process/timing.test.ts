import { describe, expect, it, vi } from 'vitest';
import {
  answersWithin,
  settlesWithin,
  sleep,
  sleepUnless,
  unlessAborted,
} from '../../../src/base/process/timing.js';

describe('waiting for a promise', () => {
  it.each([
    ['is fulfilled', () => Promise.resolve('x'), true],
    ['is rejected', () => Promise.reject(new Error('x')), true],
    ['stays open', () => new Promise(() => {}), false],
  ])('that %s takes no longer than the limit', async (_what, start, expected) => {
    expect(await settlesWithin(start(), 20)).toBe(expected);
  });

  it('returns false for a slow promise, whose later rejection is handled', async () => {
    const late = sleep(30).then(() => Promise.reject(new Error('late')));
    expect(await settlesWithin(late, 5)).toBe(false);
    await expect(late).rejects.toThrow('late');
  });
});

describe('waiting with a signal', () => {
  it('ends when the signal is aborted', async () => {
    const open = new Promise(() => {});
    expect(await settlesWithin(open, 60_000, AbortSignal.timeout(20))).toBe(false);
    expect(await settlesWithin(open, 60_000, AbortSignal.abort())).toBe(false);
    expect(await settlesWithin(Promise.resolve(), 60_000, new AbortController().signal)).toBe(true);
  });

  it.each(['words', null, new Error('x')])(
    'rejects with the reason of the signal (%s)',
    async (reason) => {
      const cancel = new AbortController();
      const wait = unlessAborted(new Promise(() => {}), cancel.signal);
      cancel.abort(reason);
      await expect(wait).rejects.toBe(reason);
      await expect(unlessAborted(Promise.resolve('x'), cancel.signal)).rejects.toBe(reason);
    },
  );

  it('returns the result of the promise and removes its listener', async () => {
    const { signal } = new AbortController();
    const remove = vi.spyOn(signal, 'removeEventListener');
    expect(await unlessAborted(Promise.resolve('x'), signal)).toBe('x');
    expect(await unlessAborted(Promise.resolve('y'), undefined)).toBe('y');
    await expect(unlessAborted(Promise.reject(new Error('no')), signal)).rejects.toThrow('no');
    expect(remove).toHaveBeenCalledTimes(2);
  });
});

describe('answersWithin', () => {
  it('returns the result of a function that is fast enough', async () => {
    expect(await answersWithin(async () => 'x', 1000)).toBe('x');
  });

  it.each([
    ['fails', () => Promise.reject(new Error('x'))],
    ['never comes', () => new Promise(() => {})],
    ['fails too late', () => sleep(30).then(() => Promise.reject(new Error('x')))],
  ])('returns undefined for a result that %s', async (_what, ask) => {
    expect(await answersWithin(ask, 10)).toBeUndefined();
  });
});

describe('sleepUnless', () => {
  it('ends with the signal, and at once for a time of zero or less', async () => {
    const open = new AbortController();
    await sleepUnless(0, open.signal);
    await sleepUnless(-5, open.signal);
    await sleepUnless(1, open.signal);
    await sleepUnless(60_000, AbortSignal.timeout(10));
    await sleepUnless(60_000, AbortSignal.abort());
    expect(open.signal.aborted).toBe(false);
  });
});
