import { expect, it } from 'vitest';
import { canonicalJson } from '../../../src/base/json/canonical-json.js';

const write = (value: unknown) => canonicalJson(value, (other) => `<${typeof other}>`);

it('canonical JSON does not depend on the order of keys and differs for different values', () => {
  expect(write({ b: [1, null, 'x'], a: { d: true, c: undefined } })).toBe(
    '{"a":{"d":true},"b":[1,null,"x"]}',
  );
  expect(write({ '"': '"' })).toBe('{"\\"":"\\""}');
  expect(write([1, '1', Number.NaN, 1n])).toBe('[1,"1","NaN","<bigint>"]');
});

it('canonical JSON describes values that JSON cannot express, also circular ones', () => {
  expect(write({ f: () => 1, m: new Map() })).toBe('{"f":"<function>","m":"<object>"}');
  const circle: Record<string, unknown> = {};
  circle['self'] = circle;
  circle['again'] = [circle, circle];
  expect(write(circle)).toBe('{"again":["<object>","<object>"],"self":"<object>"}');
});
