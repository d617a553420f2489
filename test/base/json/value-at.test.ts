import { describe, expect, it } from 'vitest';
import { valueAt } from '../../../src/base/json/value-at.js';

describe('the value at a path', () => {
  it.each([
    [[], { steps: [{ id: 'a' }] }],
    [['steps', 0, 'id'], 'a'],
    [['steps', 1, 'id'], undefined],
    [['steps', 0, 'id', 'length'], undefined],
    [['name'], undefined],
  ])('%j is %j', (path, value) => {
    expect(valueAt({ steps: [{ id: 'a' }] }, path)).toEqual(value);
  });

  it('is undefined inside of null', () => {
    expect(valueAt({ env: null }, ['env', 'A'])).toBeUndefined();
  });
});
