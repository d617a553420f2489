import { expect, it } from 'vitest';
import { isOutOfSpace } from '../../../src/base/errors/out-of-space.js';
import { ProviderError } from '../../../src/base/errors/provider-error.js';

const full = Object.assign(new Error('write'), { code: 'ENOSPC' });

it.each([
  full,
  new Error('fatal: cannot create file: No space left on device'),
  new Error('sqlite: Disk quota exceeded'),
  new ProviderError({ code: 'UNKNOWN', message: 'The step failed', cause: full }),
])('%s is a full disk', (error) => {
  expect(isOutOfSpace(error)).toBe(true);
});

it.each([undefined, 'ENOSPC', new Error('ENOENT: no such file'), new Error('SPENOSPCX')])(
  '%s is none',
  (error) => {
    expect(isOutOfSpace(error)).toBe(false);
  },
);

it('an error that is its own cause does not hang', () => {
  const odd = new Error('odd');
  odd.cause = odd;
  expect(isOutOfSpace(odd)).toBe(false);
});
