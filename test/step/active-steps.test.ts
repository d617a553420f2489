import { getEventListeners } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { ActiveSteps } from '../../src/step/active-steps.js';
import { failureOf } from '../fixtures/cli/support.js';

describe('the running steps of a provider', () => {
  it('are cancelled only by the signal of their own caller', () => {
    const [one, two] = [new AbortController(), new AbortController()];
    const steps = new ActiveSteps();
    const [first, second] = [steps.begin(one.signal), steps.begin(two.signal)];
    one.abort('enough');
    expect([first.signal.aborted, second.signal.aborted]).toEqual([true, false]);
    expect(first.signal.reason).toBe('enough');
  });

  it('are cancelled by any of several signals', () => {
    const [one, two] = [new AbortController(), new AbortController()];
    const step = new ActiveSteps().begin(undefined, one.signal, two.signal);
    two.abort('left');
    expect(step.signal.reason).toBe('left');
  });

  it('do not start if a signal is already aborted', async () => {
    const begin = () => new ActiveSteps().begin(AbortSignal.abort('too late'));
    expect(await failureOf(begin)).toMatchObject({ code: 'CANCELLED', cause: 'too late' });
  });

  it('leave no listener on the signal of the caller', () => {
    const { signal } = new AbortController();
    const steps = new ActiveSteps();
    for (let round = 0; round < 20; round++) steps.begin(signal).end();
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('are all cancelled by dispose(), which waits for their end', async () => {
    const steps = new ActiveSteps();
    const active = [steps.begin(undefined), steps.begin(undefined)];
    const ended: number[] = [];
    for (const [index, step] of active.entries()) {
      step.signal.addEventListener('abort', () => {
        setTimeout(() => {
          ended.push(index);
          step.end();
        }, 10);
      });
    }
    await steps.dispose();
    expect(ended).toEqual([0, 1]);
  });

  it('are refused after dispose(), and while it waits', async () => {
    const steps = new ActiveSteps();
    const last = steps.begin(undefined);
    const disposing = steps.dispose();
    const refused = { code: 'INVALID_INPUT', hint: expect.stringContaining('new provider') };
    expect(await failureOf(() => steps.begin(undefined))).toMatchObject(refused);
    last.end();
    await disposing;
    expect(await failureOf(() => steps.begin(undefined))).toMatchObject(refused);
    await steps.dispose();
  });

  it('are not cancelled after their end', async () => {
    const steps = new ActiveSteps();
    const step = steps.begin(undefined);
    step.end();
    await steps.dispose();
    expect(step.signal.aborted).toBe(false);
  });
});

describe('a signal that many steps share', () => {
  it('has no listeners after their end, also after garbage collection', async () => {
    setFlagsFromString('--expose-gc');
    const collect: () => void = runInNewContext('gc');
    const { signal } = new AbortController();
    const active = new ActiveSteps();
    const steps = Array.from({ length: 5 }, () => active.begin(signal));
    await setImmediate();
    collect();
    for (const step of steps) step.end();
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });
});
