import { describe, expect, it } from 'vitest';
import { findBrackets } from '../../../src/step/expectations/find-brackets.js';

describe('JSON among other words', () => {
  it.each([
    ['no brackets at all', []],
    ['It is {"a": 1}, is it not?', [{ a: 1 }]],
    ['first {"a": 1} then [1, 2]', [{ a: 1 }, [1, 2]]],
    ['{"a": "}] \\" {", "b": [{}]} :-}', [{ a: '}] " {', b: [{}] }]],
    ['use {curly} and [see below] {"a": 1}', [{ a: 1 }]],
    ['[x](http://a/b) {"a": [true, null, -1.5e3]}', [{ a: [true, null, -1500] }]],
    ['He said " and { then "quoted" {"a": 1}', [{ a: 1 }]],
    ['[" and {"a": 1} here', [{ a: 1 }]],
    ['{"a": 1,} is wrong, {"b": 2} is not', [{ b: 2 }]],
    ['{{"a": 1}}', [{ a: 1 }]],
    ['{"half": [1, 2', []],
    ['[1, 2} {"a": 1}', [{ a: 1 }]],
    ['} ] {"a": 1} }', [{ a: 1 }]],
    ['{"broken\nstring": 1} {"a": 1}', [{ a: 1 }]],
    ['{"a": "\u2028 ünï \\u00e4"}', [{ a: '\u2028 ünï ä' }]],
    ['{}', [{}]],
  ])('is found in %j', (text, values) => {
    expect(findBrackets(text)).toEqual(values);
  });

  it.each([
    ['nothing but openings', '['.repeat(300_000)],
    ['openings in strings', '{"a '.repeat(200_000)],
    ['pairs that are no JSON', `${'{,'.repeat(3_000)}${'}'.repeat(3_000)}`],
    ['strings without an end', '["'.repeat(200_000)],
  ])('is searched in reasonable time in %s', (_name, text) => {
    expect(findBrackets(text)).toEqual([]);
  });

  it('is found after many brackets that are no JSON', () => {
    expect(findBrackets(`${'[ { '.repeat(100_000)} x {"a": 1}`)).toEqual([{ a: 1 }]);
  });

  it('may be large', () => {
    const value = {
      text: 'x\n"{'.repeat(200_000),
      list: Array.from({ length: 20_000 }, () => [1]),
    };
    expect(findBrackets(`here: ${JSON.stringify(value)} .`)).toEqual([value]);
  });
});
