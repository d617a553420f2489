import { describe, expect, it } from 'vitest';
import { findJson } from '../../../src/step/expectations/find-json.js';

describe('the JSON of an answer', () => {
  it.each([
    ['{"a": 1}', { a: 1 }],
    ['\ufeff\n [1] \n', [1]],
    ['42', 42],
    ['"text with {} in it"', 'text with {} in it'],
    ['null', null],
  ])('is the whole answer if %j is JSON', (text, value) => {
    expect(findJson(text)).toEqual([[value]]);
  });

  it('is found between fences first, then among other words', () => {
    const text =
      'Like {"x": 0}:\n```json\n{"a": 1}\n```\nor\n\n```JSON\r\n[2]\r\n```\nbye {"y": 0}';
    expect(findJson(text)).toEqual([
      [{ a: 1 }, [2]],
      [{ x: 0 }, { a: 1 }, [2], { y: 0 }],
    ]);
  });

  it.each([
    ['without a language', 'a\n```\n{"a": 1}\n```'],
    ['indented', '1. so:\n   ```json\n   {"a": 1}\n   ```'],
    ['behind a word', 'Done.```json\n{"a": 1}\n```'],
    ['with blanks behind them', '```json  \n{"a": 1}\n```  \n'],
    ['behind other code', '```ts\nconst a = 1;\n```\n```json\n{"a": 1}\n```'],
  ])('is found between fences %s', (_name, text) => {
    expect(findJson(text)[0]).toEqual([{ a: 1 }]);
  });

  it('may contain fences in its strings', () => {
    const value = { code: '```js\nlet a;\n```' };
    const text = `\`\`\`json\n${JSON.stringify(value, undefined, 2)}\n\`\`\``;
    expect(findJson(text)[0]).toEqual([value]);
  });

  it('may be a scalar between fences', () => {
    expect(findJson('So:\n```json\ntrue\n```')).toEqual([[true]]);
  });

  it.each([
    ['no JSON', 'Nothing here.'],
    ['a block that is none', '```json\n{"a": 1,}\n```'],
    ['an empty block', '```json\n```'],
    ['a block that is not closed', '```json\n"x"'],
    ['nothing', ''],
  ])('is not found in an answer with %s', (_name, text) => {
    expect(findJson(text)).toEqual([]);
  });

  it.each([
    ['fences inside of lines', 'x```json\n'.repeat(100_000)],
    ['fences', '```json\n'.repeat(30_000)],
    [
      'fences of many lengths',
      Array.from({ length: 1_000 }, (_, n) => '`'.repeat(n + 3)).join('\n'),
    ],
    ['blocks that are no JSON', '```json\n{,}\n```\n'.repeat(20_000)],
    ['half of a deep object', '{"a":'.repeat(100_000)],
    ['half of a deep list in a block', `\`\`\`json\n${'['.repeat(300_000)}\n\`\`\``],
    ['a string without an end', `{"a": "${'\\\\"'.repeat(300_000)}`],
    ['brackets in the wrong order', '{[}]'.repeat(100_000)],
    ['quotes and brackets', '"{"['.repeat(100_000)],
    ['numbers that are none', `[${'1e'.repeat(300_000)}]`],
    ['blanks', `{${' '.repeat(2_000_000)}`],
  ])('is searched in reasonable time in very many %s', (_name, text) => {
    expect(findJson(text)).toEqual([]);
  });
});
