import { describe, expect, it } from 'vitest';
import { ProviderError } from '../../../src/base/errors/provider-error.js';
import {
  toProviderError,
  withGenerationId,
  withReason,
} from '../../../src/base/errors/unexpected-error.js';

describe('the reason of an abort', () => {
  it.each([
    new DOMException('x', 'AbortError'),
    'enough',
    null,
    new ProviderError({ code: 'TIMEOUT', message: 'mine' }),
  ])('becomes CANCELLED for any value (%s)', (reason) => {
    const signal = AbortSignal.abort(reason);
    expect(toProviderError(reason, signal)).toMatchObject({
      code: 'CANCELLED',
      retryable: false,
      cause: reason,
    });
  });

  it('becomes the cause of a CANCELLED error that came without one', () => {
    const error = new ProviderError({ code: 'CANCELLED', message: 'ended by the worker' });
    const named = withReason(error, AbortSignal.abort('enough'));
    expect(named).toMatchObject({ code: 'CANCELLED', cause: 'enough', stack: error.stack });
    expect(withReason(named, AbortSignal.abort('later'))).toBe(named);
    expect(withReason(error, new AbortController().signal)).toBe(error);
    const other = new ProviderError({ code: 'TIMEOUT', message: 'x' });
    expect(withReason(other, AbortSignal.abort())).toBe(other);
  });

  it('becomes CANCELLED only after the abort, and other errors never do', () => {
    expect(toProviderError(undefined, new AbortController().signal).code).toBe('UNKNOWN');
    expect(toProviderError(new Error('x'), AbortSignal.abort()).code).toBe('UNKNOWN');
  });
});

describe('an unexpected error', () => {
  it('becomes a ProviderError with the original error as the cause', () => {
    const cause = new TypeError('x is\nnot a function');
    const error = toProviderError(cause);
    expect(ProviderError.isInstance(error)).toBe(true);
    expect(error).toMatchObject({
      code: 'UNKNOWN',
      retryable: false,
      message: 'The step failed unexpectedly: x is not a function',
      hint: 'See `cause`.',
      cause,
    });
    expect(toProviderError('just words')).toMatchObject({ cause: 'just words' });
  });

  it.each(['ENOSPC', 'EROFS', 'EACCES', 'EMFILE'])(
    'of the disk has a hint about the temp folder (%s)',
    (code) => {
      const cause = Object.assign(new Error(`${code}: write`), { code });
      expect(toProviderError(cause).hint).toContain('TMPDIR');
    },
  );

  it('is returned unchanged if it is a ProviderError', () => {
    const error = new ProviderError({ code: 'AUTH', message: 'no key' });
    expect(toProviderError(error)).toBe(error);
  });
});

describe('an error that was made before its step was named', () => {
  it('gets the id of the step, and keeps the rest', () => {
    const cause = new Error('underneath');
    const error = new ProviderError({ code: 'NETWORK', message: 'lost', hint: 'Wait.', cause });
    const named = withGenerationId(error, 'generation-1');
    expect(named.toJSON()).toEqual({ ...error.toJSON(), generationId: 'generation-1' });
    expect(named).toMatchObject({ cause, stack: error.stack });
    expect(
      'cause' in withGenerationId(new ProviderError({ code: 'UNKNOWN', message: 'x' }), 'g'),
    ).toBe(false);
  });

  it('stays the same object where it has the id already', () => {
    const error = new ProviderError({ code: 'UNKNOWN', message: 'x', generationId: 'g' });
    expect(withGenerationId(error, 'g')).toBe(error);
  });
});
