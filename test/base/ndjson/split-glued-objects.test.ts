import { describe, expect, it } from 'vitest';
import { splitGluedObjects } from '../../../src/base/ndjson/split-glued-objects.js';

describe('a line with several objects', () => {
  it.each([
    ['{"a":1}{"b":2}', [{ a: 1 }, { b: 2 }], ''],
    ['{"a":"}{"}{"b":{}}{"c":3}', [{ a: '}{' }, { b: {} }, { c: 3 }], ''],
    ['{"a":1}{"b":', [{ a: 1 }], '{"b":'],
  ])('is split: %s', (line, objects, rest) => {
    expect(splitGluedObjects(line)).toEqual({ objects, rest });
  });

  it.each(['', 'text', '{"a":1}', '{"a":1} {"b":2}', '{"a":{"b":1}{"c":2}'])(
    'is not seen in %j',
    (line) => {
      expect(splitGluedObjects(line)).toBeUndefined();
    },
  );

  it('is not looked for in a line of many megabytes', () => {
    expect(splitGluedObjects(`{"a":"${'x'.repeat(5 << 20)}"}{"b":2}`)).toBeUndefined();
  });
});
