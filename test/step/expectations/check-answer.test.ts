import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { checkContains, checkJsonAnswer } from '../../../src/step/expectations/check-answer.js';

const SIZED = { type: 'object', properties: { size: { type: 'integer' } }, required: ['size'] };

describe('texts that the answer must contain', () => {
  it('are compared literally', () => {
    expect(checkContains(['a.b', 'C'], 'xa.bx C')).toEqual([]);
    expect(checkContains(['a.b', 'c', 'two\nlines'], 'axb C')).toEqual([
      { kind: 'contains', message: 'The answer does not contain "a.b"' },
      { kind: 'contains', message: 'The answer does not contain "c"' },
      { kind: 'contains', message: 'The answer does not contain "two\\nlines"' },
    ]);
  });

  it('are shortened in the message', () => {
    const [missing] = checkContains(['x'.repeat(1000)], '');
    expect(missing?.message.length).toBeLessThan(300);
  });
});

describe('the JSON of the answer', () => {
  it.each([
    ['the only one', ['{"size": 1}'], 1],
    ['the last one', ['a {"size": 1} b {"size": 2} c'], 2],
    ['the last one that satisfies the schema', ['{"size": 1} then {"size": "x"} and {}'], 1],
    ['one between fences, before a later one', ['```json\n{"size": 1}\n```\nnot {"size": 2}'], 1],
    ['another, where that between fences is wrong', ['```json\n{}\n```\nbut {"size": 2}'], 2],
    ['that of the last answer', ['```json\n{"size": 1}\n```', 'or rather {"size": 2}'], 2],
    ['that of an earlier answer, where the last has none', ['{"size": 1}', 'The file is made.'], 1],
  ])('is %s', (_name, answers, size) => {
    expect(checkJsonAnswer(SIZED, answers)).toEqual({ missing: [], data: { size } });
  });

  it('is the output of a schema in code', () => {
    const schema = z.object({ size: z.number().transform((size) => size * 2) });
    expect(checkJsonAnswer(schema, ['{"size": 4}']).data).toEqual({ size: 8 });
  });

  it('is reported with its schema if it is missing', () => {
    expect(checkJsonAnswer(SIZED, ['Done.'])).toEqual({
      missing: [
        {
          kind: 'json',
          message: 'The answer contains no JSON',
          detail: `JSON Schema: ${JSON.stringify(SIZED)}`,
        },
      ],
    });
    expect(checkJsonAnswer(z.string(), ['Done.']).missing).toEqual([
      { kind: 'json', message: 'The answer contains no JSON' },
    ]);
  });

  it('is reported with the problems of the last value if it is invalid', () => {
    const { missing } = checkJsonAnswer(SIZED, ['{"size": []}', 'a {} and {"size": "x"}']);
    expect(missing).toEqual([
      {
        kind: 'json',
        message: 'The JSON of the answer does not match its schema: /size must be integer',
        detail: expect.stringMatching(/^\/size: must be integer\nJSON Schema: \{/),
      },
    ]);
  });

  it('is reported with at most 20 problems', () => {
    const schema = { type: 'array', items: { type: 'string' }, description: 'x'.repeat(5000) };
    const [missing] = checkJsonAnswer(schema, [
      JSON.stringify(Array.from({ length: 500 }, () => 1)),
    ]).missing;
    expect(missing?.message).toContain('/0 must be string (and 499 more)');
    expect(missing?.detail?.split('\n')).toHaveLength(21);
    expect(missing?.detail).toMatch(/\(and 480 more\)$/);
  });

  it('is reported with the reason if the schema cannot check it', () => {
    const schema = z.string().refine(async () => true);
    expect(checkJsonAnswer(schema, ['"a"']).missing).toMatchObject([
      { kind: 'json', message: expect.stringContaining('(the value itself) cannot be checked:') },
    ]);
  });

  it('may be nested very deeply', () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    const tree = { $ref: '#/$defs/tree', $defs: { tree: { items: { $ref: '#/$defs/tree' } } } };
    expect(checkJsonAnswer({ type: 'object' }, [deep]).missing).toHaveLength(1);
    expect(checkJsonAnswer(tree, [deep]).missing).toMatchObject([
      { message: expect.stringContaining('cannot be checked') },
    ]);
  });
});
