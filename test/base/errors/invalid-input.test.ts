import { describe, expect, it } from 'vitest';
import { describeValue, invalidInput, readInput } from '../../../src/base/errors/invalid-input.js';
import { ProviderError } from '../../../src/base/errors/provider-error.js';

const revoked = () => {
  const { proxy, revoke } = Proxy.revocable([], {});
  revoke();
  return proxy;
};

describe('a wrong value', () => {
  it.each([
    [[], 'an empty list'],
    [[1], 'a list'],
    ['x'.repeat(100), `"${'x'.repeat(40)}"`],
    [5, '5'],
    [null, 'null'],
    [undefined, 'undefined'],
    [Symbol('s'), 'a value of type symbol'],
    [{}, 'a value of type object'],
  ])('is described in a few words (%#)', (value, expected) => {
    expect(describeValue(value)).toBe(expected);
  });

  it('may be a revoked proxy', () => {
    expect(describeValue(revoked())).toBe('a revoked proxy');
  });

  it('is INVALID_INPUT that names the parameter', () => {
    expect(invalidInput('path', 'a path', 5)).toMatchObject({
      code: 'INVALID_INPUT',
      message: 'path must be a path, not 5',
      hint: 'Give a path as path.',
    });
  });
});

describe('reading a value of the caller', () => {
  const thrower = (error: unknown) => () => {
    throw error;
  };

  it('returns what was read', () => {
    expect(readInput('x', () => 5)).toBe(5);
  });

  it('turns what a getter throws into the error of the package (claim: input-validated)', () => {
    const cause = new TypeError('trap');
    const read = () => readInput('options', thrower(cause), 'INVALID_CONFIG');
    expect(read).toThrow(
      expect.objectContaining({
        code: 'INVALID_CONFIG',
        message: 'options cannot be read: trap',
        cause,
      }),
    );
  });

  it('passes errors of the package on, and survives a thrown value without a text', () => {
    const own = new ProviderError({ code: 'AUTH', message: 'x' });
    expect(() => readInput('x', thrower(own))).toThrow(own);
    expect(() => readInput('x', thrower(Object.create(null)))).toThrow('without a message');
  });
});
