import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { LateWork } from '../../../src/batch/run/late-work.js';

const never = new Promise<void>(() => {});

function openWork() {
  let end = (): void => {};
  const work = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { work, end };
}

function taskOf(work: Promise<unknown>, step = 'one') {
  return { step, description: `Something of ${step}.`, work };
}

describe('LateWork', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('waits for the end of an attempt that no limit has ended', async () => {
    const late = new LateWork();
    const { work, end } = openWork();
    const finishing = late.finish(taskOf(work), new AbortController().signal, false);
    await vi.advanceTimersByTimeAsync(600_000);
    end();
    expect(await finishing).toBe(true);
  });

  it('waits less than two seconds after a timeout', async () => {
    const late = new LateWork();
    const finishing = late.finish(taskOf(never), new AbortController().signal, true);
    await vi.advanceTimersByTimeAsync(1_500);
    expect(await finishing).toBe(false);
  });

  it('counts the time from the cancel, for all steps together', async () => {
    const late = new LateWork();
    const cancel = new AbortController();
    const first = late.finish(taskOf(never), cancel.signal, false);
    cancel.abort();
    await vi.advanceTimersByTimeAsync(1_500);
    expect(await first).toBe(false);
    const second = late.finish(taskOf(never, 'two'), cancel.signal, false);
    await vi.advanceTimersByTimeAsync(1);
    expect(await second).toBe(false);
    const closing = late.close(cancel.signal);
    await vi.advanceTimersByTimeAsync(1);
    expect(await closing).toEqual({
      code: 'LEFTOVERS_KEPT',
      message:
        'The file system is slow, and the batch has ended before this was done: Something of one. Something of two.',
      steps: ['one', 'two'],
    });
  });

  it('lets the next attempt of the same step, and the end of the batch, wait for the work', async () => {
    const late = new LateWork();
    const { signal } = new AbortController();
    const { work, end } = openWork();
    const finishing = late.finish(taskOf(work), signal, true);
    await vi.advanceTimersByTimeAsync(1_500);
    await finishing;
    await late.finishStep('two', signal);
    const ends: string[] = [];
    void late.finishStep('one', signal).then(() => ends.push('step'));
    const closing = late.close(signal).finally(() => ends.push('batch'));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(ends).toEqual([]);
    end();
    expect(await closing).toBeUndefined();
    expect(ends).toEqual(['step', 'batch']);
  });
});
