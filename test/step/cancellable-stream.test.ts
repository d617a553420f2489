import { describe, expect, it } from 'vitest';
import { CancellableStream } from '../../src/step/cancellable-stream.js';
import { failureOf } from '../fixtures/cli/support.js';

/** Yields one event and waits for the cancel. Ends with another event, or with an error. */
function open(isBroken = false) {
  const log: string[] = [];
  const left = new AbortController();
  async function* work(): AsyncGenerator<string, void> {
    try {
      yield 'first';
      await new Promise((resolve) => left.signal.addEventListener('abort', resolve));
      if (isBroken) throw new Error('cancelled');
      yield 'last';
    } finally {
      log.push('cleaned up');
    }
  }
  const stream = new CancellableStream(work(), () => {
    log.push('cancelled');
    left.abort();
  });
  return { stream, log };
}

describe('a stream of events', () => {
  it('ends at once if the caller leaves while an event is pending', async () => {
    const { stream, log } = open();
    expect(await stream.next()).toEqual({ done: false, value: 'first' });
    const pending = stream.next();
    expect(await stream.return()).toEqual({ done: true, value: undefined });
    expect(log).toEqual(['cancelled', 'cleaned up']);
    expect(await pending).toEqual({ done: false, value: 'last' });
    expect(await stream.next()).toEqual({ done: true, value: undefined });
  });

  it('swallows the error after the caller has left', async () => {
    const { stream } = open(true);
    await stream.next();
    const pending = stream.next();
    await stream.return();
    expect(await pending).toEqual({ done: true, value: undefined });
  });

  it('throws its error if the caller has not left', async () => {
    async function* fail(): AsyncGenerator<string, void> {
      yield 'first';
      throw new Error('broken');
    }
    const stream = new CancellableStream(fail(), () => {});
    await stream.next();
    expect(await failureOf(() => stream.next())).toMatchObject({ message: 'broken' });
  });

  it('is cancelled by leaving the loop, by disposal, and by throw()', async () => {
    const [loop, disposed, thrown] = [open(), open(), open()];
    for await (const event of loop.stream) if (event === 'first') break;
    await disposed.stream.next();
    await disposed.stream[Symbol.asyncDispose]();
    await thrown.stream.next();
    const error = new Error('mine');
    expect(await failureOf(() => thrown.stream.throw(error))).toBe(error);
    for (const { log } of [loop, disposed, thrown])
      expect(log).toEqual(['cancelled', 'cleaned up']);
  });

  it('ends without effect if it was never started', async () => {
    const { stream, log } = open();
    await stream.return();
    expect(await stream.next()).toEqual({ done: true, value: undefined });
    expect(log).toEqual(['cancelled']);
  });
});
