import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createAnswerCheck, isBoundedSchema } from '../../src/config/answer-schema.js';

const DRAFT_2020 = 'https://json-schema.org/draft/2020-12/schema';
const DRAFT_07 = 'http://json-schema.org/draft-07/schema#';
const PAIR = [{ type: 'string' }, { type: 'integer' }];

describe('a check by a JSON Schema', () => {
  it('returns a value that satisfies the schema', () => {
    const check = createAnswerCheck({ type: 'object', required: ['a'] });
    const value = { a: 1, more: true };
    expect(check(value)).toEqual({ ok: true, data: value });
  });

  it('reports every problem with a JSON pointer', () => {
    const item = { type: 'object', additionalProperties: false, properties: { n: { const: 1 } } };
    const properties = { kind: { enum: ['a', 'b'] }, 'x/y~z': { type: 'array', items: item } };
    const check = createAnswerCheck({ properties, required: ['name'] });
    expect(check({ kind: 'c', 'x/y~z': [{ n: 2, m: 0 }] })).toEqual({
      ok: false,
      problems: [
        { pointer: '', message: "must have required property 'name'" },
        { pointer: '/kind', message: 'must be equal to one of the allowed values: ["a","b"]' },
        { pointer: '/x~1y~0z/0', message: 'must NOT have additional properties: "m"' },
        { pointer: '/x~1y~0z/0/n', message: 'must be equal to constant: 1' },
      ],
    });
  });

  it.each([
    ['2020-12', { $schema: DRAFT_2020, prefixItems: PAIR, items: false }],
    ['07', { $schema: DRAFT_07, items: PAIR, additionalItems: false }],
    ['07, though it does not say so', { items: PAIR, additionalItems: false }],
    ['2020-12, though it does not say so', { prefixItems: PAIR, items: false }],
  ])('follows draft %s', (_draft, schema) => {
    const check = createAnswerCheck({ type: 'array', ...schema });
    expect(check(['a', 1])).toMatchObject({ ok: true });
    expect(check([1, 'a'])).toMatchObject({ ok: false });
    expect(check(['a', 1, 2])).toMatchObject({ ok: false });
  });

  it('resolves references inside the schema', () => {
    const check = createAnswerCheck({
      $ref: '#/$defs/tree',
      $defs: { tree: { type: 'array', items: { $ref: '#/$defs/tree' } } },
    });
    expect(check([[], [[]]])).toMatchObject({ ok: true });
    expect(check([[[1]]])).toMatchObject({ problems: [{ pointer: '/0/0/0' }] });
  });

  it('ignores formats and unknown keywords', () => {
    const check = createAnswerCheck({ type: 'string', format: 'date', 'x-mine': true });
    expect(check('not a date')).toMatchObject({ ok: true });
  });

  it('is compiled once per schema, even if two schemas have the same $id', () => {
    const schema = { $id: 'https://example.org/same', type: 'string' };
    expect(createAnswerCheck(schema)).toBe(createAnswerCheck(schema));
    const other = createAnswerCheck({ $id: 'https://example.org/same', type: 'number' });
    expect([createAnswerCheck(schema)('a').ok, other(1).ok, other('a').ok]).toEqual([
      true,
      true,
      false,
    ]);
  });

  it.each([
    [{ type: 'strin' }, 'schema is invalid'],
    [{ $ref: 'https://example.org/elsewhere' }, "can't resolve reference"],
    [{ $schema: 'http://json-schema.org/draft-04/schema#' }, 'no schema with key or ref'],
    [{ $async: true, type: 'string' }, '$async is not supported'],
    [{ type: 'string', pattern: '(' }, 'Invalid regular expression'],
  ])('cannot be compiled from %j', (schema, problem) => {
    expect(() => createAnswerCheck(schema)).toThrow(problem);
  });
});

describe('a check by a schema in code', () => {
  it('returns the output of the schema', () => {
    const check = createAnswerCheck(z.object({ at: z.string().transform((text) => text.length) }));
    expect(check({ at: 'abc', more: 1 })).toEqual({ ok: true, data: { at: 3 } });
  });

  it('reports every problem of the schema with a JSON pointer', () => {
    const check = createAnswerCheck(z.object({ 'a/b': z.array(z.number()), c: z.string() }));
    expect(check({ 'a/b': [1, 'x'] })).toMatchObject({
      ok: false,
      problems: [{ pointer: '/a~1b/1' }, { pointer: '/c' }],
    });
  });
});

it.each([
  [{ type: 'object', properties: { a: { anyOf: [{ type: 'string', maxLength: 3 }] } } }, true],
  [{ type: 'string', pattern: '^(a+)+$' }, false],
  [{ properties: { a: { items: [{ patternProperties: { x: {} } }] } } }, false],
  [{ uniqueItems: true }, false],
  [{ anyOf: [{ $ref: '#' }] }, false],
])('the schema %j is quick for every answer: %s', (schema, isQuick) => {
  expect(isBoundedSchema(schema)).toBe(isQuick);
});
