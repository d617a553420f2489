import { describe, expect, it } from 'vitest';
import { findSizeProblem } from '../../../src/base/json/find-size-problem.js';

const nest = (levels: number) => {
  let value: unknown[] = [];
  for (let level = 0; level < levels; level++) value = [value];
  return value;
};
const cyclic: Record<string, unknown> = { a: [1] };
cyclic['self'] = cyclic;

describe('the size of data', () => {
  it.each([
    ['a text of any length', 'x'.repeat(1000)],
    ['a list within the limit', new Array(100).fill(0)],
    ['data that contains itself', cyclic],
    ['an instance of a class, which is not searched', new Map([[1, new Array(1000)]])],
    ['few levels', nest(90)],
    ['nothing', undefined],
  ])('is no problem of %s', (_what, value) => {
    expect(findSizeProblem(value, 100)).toBeUndefined();
  });

  it.each([
    ['a long list', new Array(101).fill(0)],
    ['four billion holes', new Array(2 ** 32 - 1)],
    ['many small lists', Array.from({ length: 60 }, () => [1])],
    ['many keys', Object.fromEntries(Array.from({ length: 101 }, (_, key) => [key, key]))],
  ])('is a problem of %s (claim: input-validated)', (_what, value) => {
    expect(findSizeProblem(value, 100)).toBe('must not have more than 100 values');
  });

  it('is a problem of deep data, without a stack overflow', () => {
    expect(findSizeProblem(nest(100_000), 1e9)).toBe('must not be nested deeper than 300 levels');
  });
});
