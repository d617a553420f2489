import { describe, expect, it } from 'vitest';
import { parseJsonLine } from '../../../src/base/ndjson/parse-json-line.js';

describe('a line of JSON', () => {
  it.each([
    ['{}', {}],
    ['{"a":{"b":[1,null]}}', { a: { b: [1, null] } }],
    ['  {"a":1}  ', { a: 1 }],
    ['\u{FEFF}{"a":1}', { a: 1 }],
    ['{"text":"a\\u2028b\u2028c"}', { text: 'a\u2028b\u2028c' }],
  ])('%j is an object', (line, value) => {
    expect(parseJsonLine(line)).toEqual(value);
  });

  it.each([
    '',
    '   ',
    'plain text',
    '[1,2]',
    '"a string"',
    '42',
    'null',
    'true',
    '{"type":"message","cont',
    '{"a":1} and more',
    '{"a":1}{"b":2}',
    '{a:1}',
    '# {"a":1}',
  ])('%j is no object', (line) => {
    expect(parseJsonLine(line)).toBeUndefined();
  });
});
