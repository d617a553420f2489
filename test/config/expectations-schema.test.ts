import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { expectationsSchema } from '../../src/config/expectations-schema.js';

function problemsOf(expects: unknown): string[] {
  const { error } = expectationsSchema.safeParse(expects);
  return error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) ?? [];
}

describe('the schema of expects', () => {
  it.each([
    {},
    { files: 'src/*.ts', contains: 'Done', command: 'npm test', noChangesOutside: 'src/**' },
    { files: ['a', { glob: 'b/**', min: 0, max: 3 }, { glob: 'c', max: 1 }] },
    { contains: ['a', 'b'], command: ['npm test', { command: 'my tool', args: [''], timeout: 5 }] },
    { noChangesOutside: [], files: [], command: [] },
    { json: { type: 'object' }, files: 'app/\\(group\\)/*.tsx' },
  ])('accepts %j unchanged', (expects) => {
    expect(expectationsSchema.parse(expects)).toEqual(expects);
  });

  it('accepts snake_case keys and null values, as YAML files have them', () => {
    const given = { no_changes_outside: 'src/**', files: null };
    expect(expectationsSchema.parse(given)).toEqual({ noChangesOutside: 'src/**' });
  });

  it('keeps a schema in code without copying it', () => {
    const json = z.object({ a: z.string() });
    expect(expectationsSchema.parse({ json }).json).toBe(json);
  });

  it.each([
    ['x', ': Invalid input: expected object, received string'],
    [{ file: 'a' }, ': Unrecognized key: "file"'],
    [{ files: '' }, 'files: must not be empty'],
    [{ files: '/tmp/a' }, 'files: must be relative to the working directory'],
    [{ files: ['a', 'C:/a'] }, 'files.1: must be relative to the working directory'],
    [{ noChangesOutside: 'a\\b' }, 'noChangesOutside: must use forward slashes'],
    [{ files: { glob: 'a', max: 0 } }, 'files: has a min above its max'],
    [{ files: { glob: 'a', min: -1 } }, 'files.min: '],
    [{ files: 3 }, 'files: must be a glob, { glob, min, max }, or a list of these'],
    [{ contains: [1] }, 'contains: must be a text, or a list of texts'],
    [{ contains: '' }, 'contains: must not be empty'],
    [{ command: 'a && b' }, 'command: has &&, which only a shell understands'],
    [{ command: ['a', 'b > c'] }, 'command.1: has >, which only a shell understands'],
    [{ command: { command: 'a', args: 'b' } }, 'command: must be a command line, '],
    [
      { command: { command: 'a', timeout: 0 } },
      'command.timeout: must be a number of seconds above 0',
    ],
    [{ json: 'string' }, 'json: must be a JSON Schema, or an object with safeParse'],
    [
      { json: { type: 'strin' } },
      'json: is not a JSON Schema of draft 2020-12 or 07: schema is inv',
    ],
  ])('refuses %j', (expects, problem) => {
    expect(problemsOf(expects)).toEqual([expect.stringContaining(problem)]);
  });
});
