import { describe, expect, it } from 'vitest';
import { checkJsonValue, checkList, checkRecord, refuse } from '../../src/testing/check-value.js';

describe('a value', () => {
  it('of the right type is returned', () => {
    const record = { a: 1 };
    expect(checkRecord(record, 'x')).toBe(record);
    expect(JSON.parse(checkJsonValue(record, 'x'))).toEqual(record);
  });

  it('in a list is checked with its own path', () => {
    const paths: string[] = [];
    checkList(['a', 'b'], 'x.y', (entry, path) => paths.push(`${path} ${entry}`));
    expect(paths).toEqual(['x.y[0] a', 'x.y[1] b']);
  });

  it.each([
    [null, 'null'],
    [undefined, 'undefined'],
    [5, '5'],
    ['long '.repeat(100), '"long long'],
    [[], 'an empty list'],
    [[1], 'a list'],
    [1n, 'a value of type bigint'],
  ])('that is refused is shown in the message (%#)', (value, shown) => {
    expect(() => refuse('x', 'good', value)).toThrow(`x must be good, not ${shown}`);
  });
});
