import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { errnoOf, hasErrno } from '../../../src/base/errors/errno.js';

function systemError(): unknown {
  try {
    return readFileSync('/nowhere/at/all');
  } catch (error) {
    return error;
  }
}

describe('the code of a system error', () => {
  it('is read from the error', () => {
    expect(errnoOf(systemError())).toBe('ENOENT');
  });

  it.each([
    ['undefined', undefined],
    ['null', null],
    ['a text', 'ENOENT'],
    ['a plain object', { code: 'ENOENT' }],
    ['an error without a code', new Error('ENOENT')],
    ['an error with a number as code', Object.assign(new Error('x'), { code: 7 })],
  ])('is undefined for %s', (_what, value) => {
    expect(errnoOf(value)).toBeUndefined();
    expect(hasErrno(value, 'ENOENT')).toBe(false);
  });

  it('is compared with one or several codes', () => {
    expect(hasErrno(systemError(), 'ENOENT')).toBe(true);
    expect(hasErrno(systemError(), 'ENOTDIR', 'ENOENT')).toBe(true);
    expect(hasErrno(systemError(), 'EACCES')).toBe(false);
    expect(hasErrno(systemError())).toBe(false);
  });
});
