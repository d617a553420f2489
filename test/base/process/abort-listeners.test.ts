import { getEventListeners } from 'node:events';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import {
  callOnAbort,
  followSignal,
  limitSignal,
} from '../../../src/base/process/abort-listeners.js';

describe('a function that is called at an abort', () => {
  it('shares one listener with all others of the signal', () => {
    const cancel = new AbortController();
    const calls: number[] = [];
    for (let n = 0; n < 50; n++) callOnAbort(cancel.signal, () => calls.push(n));
    expect(getEventListeners(cancel.signal, 'abort')).toHaveLength(1);
    cancel.abort();
    expect(calls).toHaveLength(50);
    expect(getEventListeners(cancel.signal, 'abort')).toHaveLength(0);
  });

  it('is called at once if the signal is already aborted', () => {
    const calls: string[] = [];
    callOnAbort(AbortSignal.abort(), () => calls.push('now'))();
    expect(calls).toEqual(['now']);
  });

  it('is not called after its registration was removed, and the last one removes the listener', () => {
    const cancel = new AbortController();
    const calls: string[] = [];
    const add = (name: string) => callOnAbort(cancel.signal, () => calls.push(name));
    const [removeFirst, removeSecond] = [add('first'), add('second')];
    removeFirst();
    expect(getEventListeners(cancel.signal, 'abort')).toHaveLength(1);
    removeSecond();
    removeSecond();
    expect(getEventListeners(cancel.signal, 'abort')).toHaveLength(0);
    add('third');
    cancel.abort();
    expect(calls).toEqual(['third']);
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

describe('a signal with a limit', () => {
  it('is aborted when the time is over, also if garbage is collected meanwhile', async () => {
    setFlagsFromString('--expose-gc');
    const collect: () => void = runInNewContext('gc');
    const aborted = waitForAbort(30);
    // Objects that only a weak reference holds live until the end of the current job.
    await new Promise(setImmediate);
    collect();
    expect(await aborted).toMatchObject({ name: 'TimeoutError' });
  });

  it('is aborted with the other signal, and with its reason', () => {
    const cancel = new AbortController();
    const { signal } = limitSignal(cancel.signal, 60_000);
    cancel.abort('why');
    expect(signal.reason).toBe('why');
    expect(limitSignal(cancel.signal, 60_000).signal.reason).toBe('why');
  });

  it('leaves no listener and no timer after its end', async () => {
    const cancel = new AbortController();
    const { signal, stop } = limitSignal(cancel.signal, 1);
    stop();
    expect(getEventListeners(cancel.signal, 'abort')).toHaveLength(0);
    await new Promise((resolve) => setTimeout(resolve, 20));
    cancel.abort();
    expect(signal.aborted).toBe(false);
  });
});

/** Returns the reason of the abort. No variable holds the signal. */
function waitForAbort(ms: number): Promise<unknown> {
  const { signal } = limitSignal(new AbortController().signal, ms);
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(signal.reason));
  });
}

function controlled() {
  const controller = new AbortController();
  return { signal: controller.signal, abort: (reason?: unknown) => controller.abort(reason) };
}
