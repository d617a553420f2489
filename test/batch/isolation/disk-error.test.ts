import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ProviderError } from '../../../src/base/errors/provider-error.js';
import { describeDiskError } from '../../../src/batch/isolation/disk-error.js';

describe('a disk error', () => {
  it('names the failed action, the error and a remedy', () => {
    const full = Object.assign(new Error('ENOSPC: no space left on device, write'), {
      code: 'ENOSPC',
    });
    expect(describeDiskError(full, 'Cannot create a copy')).toMatchObject({
      code: 'INVALID_INPUT',
      message: 'Cannot create a copy: ENOSPC: no space left on device, write',
      hint: expect.stringContaining('Free disk space'),
      cause: full,
    });
  });

  it('without a known remedy has a general hint', () => {
    try {
      readFileSync('/');
    } catch (error) {
      expect(describeDiskError(error, 'x')).toMatchObject({
        hint: expect.stringContaining('file system'),
      });
    }
    expect.assertions(1);
  });

  it('is the only kind of error that is wrapped', () => {
    const ours = new ProviderError({ code: 'CANCELLED', message: 'x' });
    const bug = new TypeError('x');
    expect([describeDiskError(ours, 'y'), describeDiskError(bug, 'y')]).toEqual([ours, bug]);
    expect(describeDiskError('text', 'y')).toBe('text');
  });
});
