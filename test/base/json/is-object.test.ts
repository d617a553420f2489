import { describe, expect, it } from 'vitest';
import { isObject } from '../../../src/base/json/is-object.js';

describe('a JSON object', () => {
  it.each([{}, { a: 1 }, Object.create(null)])('is %o', (value) => {
    expect(isObject(value)).toBe(true);
  });

  it.each([undefined, null, [], 'x', 0, true])('is not %o', (value) => {
    expect(isObject(value)).toBe(false);
  });
});
