import { expect, it } from 'vitest';
import { canonicalJson } from '../../../src/base/json/canonical-json.js';

const write = (value: unknown) => canonicalJson(value, (other) => `<${typeof other}>`);

it('is the same whatever the order of keys, and different for different values', () => {
  expect(write({ b: [1, null, 'x'], a: { d: true, c: undefined } })).toBe(
    '{"a":{"d":true},"b":[1,null,"x"]}',
  );
  expect(write({ '"': '"' })).toBe('{"\\"":"\\""}');
  expect(write([1, '1', Number.NaN, 1n])).toBe('[1,"1","NaN","<bigint>"]');
});

it('has a word for what JSON cannot express, and an end', () => {
  expect(write({ f: () => 1, m: new Map() })).toBe('{"f":"<function>","m":"<object>"}');
  const circle: Record<string, unknown> = {};
  circle['self'] = circle;
  circle['again'] = [circle, circle];
  expect(write(circle)).toBe('{"again":["<object>","<object>"],"self":"<object>"}');
});
