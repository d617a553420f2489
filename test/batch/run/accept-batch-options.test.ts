import { describe, expect, it } from 'vitest';
import { acceptBatchOptions } from '../../../src/batch/run/accept-batch-options.js';
import { runBatch } from '../../../src/batch/run/run-batch.js';

describe('the options of a batch', () => {
  it('are refused with the nearest name if they are unknown', () => {
    const accept = () => acceptBatchOptions({ outt: 'x', more: 1, concurency: 2 });
    expect(accept).toThrow('outt = "x": is an unknown key. Did you mean "out"?');
    expect(accept).toThrow('more = 1: is an unknown key');
    expect(accept).toThrow('Did you mean "concurrency"?');
    expect(acceptBatchOptions({ outt: undefined })).toEqual({});
  });

  it('are copied', () => {
    const { signal } = new AbortController();
    const provider = { stream: () => {} };
    const options = {
      out: 'x',
      fresh: undefined,
      config: { model: 'm' },
      signal,
      provider,
      concurrency: 3,
    };
    const accepted = acceptBatchOptions(options);
    expect(accepted).toEqual(options);
    expect(accepted.provider).toBe(provider);
    expect(acceptBatchOptions(undefined)).toEqual({});
  });

  it.each([
    [5, 'options = 5: must be an object'],
    [{ out: true }, 'out = true: must be the path of a folder'],
    [{ out: 'a\0b' }, 'must not contain a NUL character'],
    [{ baseDir: '' }, 'baseDir = "": must not be empty'],
    [{ fresh: 'yes' }, 'fresh = "yes": must be true or false'],
    [{ signal: 'x' }, 'signal = "x": must be an AbortSignal'],
    [{ provider: {} }, 'must be a provider with the method stream()'],
    [{ config: null }, 'must be a plain object'],
    [{ config: 'x'.repeat(9_000_000) }, 'config = "xxx'],
    [{ config: new Map() }, 'must be a plain object, not an instance'],
    [{ config: { allowedTools: new Array(2 ** 32 - 1) } }, 'must not have more than 100000 values'],
  ])('are refused if they are wrong (%#) (claim: input-validated)', async (options, message) => {
    const outcome = Reflect.apply(runBatch, undefined, [[{ id: 'a', prompt: 'x' }], options]);
    const error = await Promise.resolve(outcome).catch((problem: unknown) => problem);
    expect(error).toMatchObject({
      code: 'INVALID_CONFIG',
      message: expect.stringContaining(message),
    });
    expect(JSON.stringify(error).length).toBeLessThan(200_000);
  });

  it('and a plan with a value that throws when it is read end in INVALID_CONFIG (claim: input-validated)', async () => {
    const fail = (): never => {
      throw new TypeError('A trap of the caller');
    };
    const systemPrompt = new Proxy(() => {}, { get: fail, has: fail, ownKeys: fail });
    const step = { id: 'a', prompt: 'x', systemPrompt };
    await expect(runBatch(Object.assign([], [step]))).rejects.toMatchObject({
      code: 'INVALID_CONFIG',
    });
  });
});
