import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ProviderError } from '../../../src/base/errors/provider-error.js';
import { describeDiskError } from '../../../src/batch/isolation/disk-error.js';

describe('an error of the file system', () => {
  it('says what was to be done, what happened and what to do', () => {
    const full = Object.assign(new Error('ENOSPC: no space left on device, write'), {
      code: 'ENOSPC',
    });
    expect(describeDiskError(full, 'no copy could be made')).toMatchObject({
      code: 'INVALID_INPUT',
      message: 'no copy could be made: ENOSPC: no space left on device, write',
      hint: expect.stringContaining('Free disk space'),
      cause: full,
    });
  });

  it('that is rare names no remedy that would not help', () => {
    try {
      readFileSync('/');
    } catch (error) {
      expect(describeDiskError(error, 'x')).toMatchObject({
        hint: expect.stringContaining('file system'),
      });
    }
    expect.assertions(1);
  });

  it('leaves all others as they are', () => {
    const ours = new ProviderError({ code: 'CANCELLED', message: 'x' });
    const bug = new TypeError('x');
    expect([describeDiskError(ours, 'y'), describeDiskError(bug, 'y')]).toEqual([ours, bug]);
    expect(describeDiskError('text', 'y')).toBe('text');
  });
});
