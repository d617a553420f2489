import { describe, expect, it } from 'vitest';
import { ProviderError } from '../../../src/base/errors/provider-error.js';
import { toAttemptError } from '../../../src/batch/run/attempt-error.js';

describe('the error of an attempt', () => {
  it('is the error of the provider, with the generation id that the error already names', () => {
    const error = new ProviderError({ code: 'NETWORK', message: 'lost', generationId: 'a' });
    expect(toAttemptError(error, 'b')).toMatchObject({ code: 'NETWORK', generationId: 'a' });
  });

  it('gets the generation id of the attempt if it was made after the generation', () => {
    const error = new ProviderError({ code: 'EXPECTATION_FAILED', message: 'Merge conflict' });
    expect(toAttemptError(error, 'b')).toMatchObject({
      code: 'EXPECTATION_FAILED',
      message: 'Merge conflict',
      generationId: 'b',
    });
  });

  it('is UNKNOWN with the thrown value as its cause if a provider throws something else', () => {
    const thrown = new TypeError('x is not a function');
    const error = toAttemptError(thrown, undefined);
    expect(error).toMatchObject({ code: 'UNKNOWN', message: 'x is not a function' });
    expect(error.cause).toBe(thrown);
    expect(error.generationId).toBeUndefined();
  });
});
