import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { followSignal, onAbort } from '../../../src/base/process/on-abort.js';

describe('callbacks on one signal', () => {
  it('are all called once, by one listener', () => {
    const { signal, abort } = controlled();
    const called: number[] = [];
    for (let index = 0; index < 50; index++) onAbort(signal, () => called.push(index));
    expect(getEventListeners(signal, 'abort')).toHaveLength(1);
    abort();
    abort();
    expect(called).toEqual(Array.from({ length: 50 }, (_, index) => index));
  });

  it('can be taken back one by one, even the same callback', () => {
    const { signal, abort } = controlled();
    let calls = 0;
    const count = (): void => void calls++;
    const take = onAbort(signal, count);
    onAbort(signal, count);
    take();
    take();
    abort();
    expect(calls).toBe(1);
  });

  it('are called at once for an aborted signal', () => {
    let calls = 0;
    onAbort(AbortSignal.abort(), () => calls++)();
    expect(calls).toBe(1);
  });
});

describe('a signal that follows another', () => {
  it('is aborted with the same reason', () => {
    const { signal, abort } = controlled();
    const following = followSignal(signal);
    expect(following.signal.aborted).toBe(false);
    abort('why');
    expect(following.signal.reason).toBe('why');
  });

  it('stays as it is after the end of the following, and without a signal to follow', () => {
    const { signal, abort } = controlled();
    const following = followSignal(signal);
    following.stop();
    abort();
    expect(following.signal.aborted).toBe(false);
    const alone = followSignal(undefined);
    alone.stop();
    expect(alone.signal.aborted).toBe(false);
  });
});

function controlled() {
  const controller = new AbortController();
  return { signal: controller.signal, abort: (reason?: unknown) => controller.abort(reason) };
}
