import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { expandPlan } from '../../../src/batch/plan/expand-plan.js';
import { addFiles, makeFolder } from '../../fixtures/cli/support.js';
import { errorOf } from './plans.js';

const FILES = Object.fromEntries(
  [
    'src/b.ts',
    'src/a.ts',
    'src/deep/c.ts',
    'src/[x] y.ts',
    'src/new\nline.ts',
    'src/.hidden.ts',
    'node_modules/m/d.ts',
    'packages/p/node_modules/e.ts',
    '.git/f.ts',
    '.github/g.ts',
    'readme.md',
  ].map((name) => [name, '']),
);

async function expand(matrix: Record<string, string | readonly (string | number | boolean)[]>) {
  const baseDir = makeFolder(FILES);
  const { steps } = await expandPlan([{ id: 'x', prompt: 'x', for: matrix }], { baseDir });
  return steps.map(({ id }) => id);
}

describe('a matrix of files', () => {
  it.each([
    ['src/*.ts', ['src/[x] y.ts', 'src/a.ts', 'src/b.ts', 'src/new\nline.ts']],
    ['./src/{a,b}.ts', ['src/a.ts', 'src/b.ts']],
    ['**/c.ts', ['src/deep/c.ts']],
    ['**/[d-g].ts', undefined],
    ['node_modules/**/*.ts', ['node_modules/m/d.ts']],
    ['packages/**/node_modules/*.ts', ['packages/p/node_modules/e.ts']],
    ['.git/*.ts', ['.git/f.ts']],
    ['.github/*.ts', ['.github/g.ts']],
    ['readme.md', ['readme.md']],
    ['src/\\[x\\] y.ts', ['src/[x] y.ts']],
    ['src', undefined],
    ['src/missing.ts', undefined],
  ])('has a sorted step for each file that %s matches', async (glob, names) => {
    if (names === undefined) {
      const { problems } = await errorOf(() => expand({ file: glob }));
      expect(problems).toMatchObject([{ key: 'steps[0].for.file', value: glob }]);
    } else {
      expect(await expand({ file: glob })).toEqual(names.map((name) => `x[${name}]`));
    }
  });

  it('has paths relative to the working directory of the step, and its files are inputs', async () => {
    const baseDir = makeFolder(FILES);
    addFiles(baseDir, { 'src/z.md': '' });
    const step = {
      id: 'x',
      workingDir: 'src',
      prompt: '{{f}}',
      for: { f: '?.ts' },
      inputs: ['z.md'],
    };
    const { steps } = await expandPlan([step], { baseDir });
    expect(steps.map(({ id, prompt, inputs }) => [id, prompt, inputs])).toEqual([
      ['x[a.ts]', 'a.ts', [join(baseDir, 'src/a.ts'), join(baseDir, 'src/z.md')]],
      ['x[b.ts]', 'b.ts', [join(baseDir, 'src/b.ts'), join(baseDir, 'src/z.md')]],
    ]);
  });

  it('does not follow symbolic links', async () => {
    const baseDir = makeFolder({ 'a/b.ts': '' });
    symlinkSync('.', join(baseDir, 'a/loop'));
    const { steps } = await expandPlan([{ id: 'x', prompt: 'x', for: { f: '**/*.ts' } }], {
      baseDir,
    });
    expect(steps.map(({ id }) => id)).toEqual(['x[a/b.ts]']);
  });
});

describe('a matrix of values', () => {
  it('has a step for each value, in the order of the list', async () => {
    expect(await expand({ v: ['z', 1, true, 'a b'] })).toEqual([
      'x[z]',
      'x[1]',
      'x[true]',
      'x[a b]',
    ]);
  });

  it('has a step for each pair of values of two keys, and fills both variables', async () => {
    const baseDir = makeFolder(FILES);
    const matrix = { file: 'src/?.ts', lang: ['go', 'rust'] };
    const step = { id: 'x', prompt: '{{file}} to {{lang}}', for: matrix };
    const { steps } = await expandPlan([step], { baseDir });
    expect(steps.map(({ id, planId, index, prompt }) => [id, planId, index, prompt])).toEqual([
      ['x[src/a.ts,go]', 'x', 0, 'src/a.ts to go'],
      ['x[src/a.ts,rust]', 'x', 1, 'src/a.ts to rust'],
      ['x[src/b.ts,go]', 'x', 2, 'src/b.ts to go'],
      ['x[src/b.ts,rust]', 'x', 3, 'src/b.ts to rust'],
    ]);
  });

  it('is refused if two of its steps have the same id', async () => {
    const { problems } = await errorOf(() => expand({ a: ['1', '1,2'], b: ['2,3', '3'] }));
    expect(problems).toMatchObject([
      { key: 'steps[0].for', value: 'x[1,2,3]', problem: 'is the id of two steps' },
    ]);
  });

  it('is refused if it makes too many steps', async () => {
    const many = Array.from({ length: 1000 }, (_, index) => index);
    const { problems } = await errorOf(() => expand({ a: many, b: many, c: many }));
    expect(problems).toMatchObject([{ key: 'steps[0].for', value: 1_000_000_000 }]);
  });
});

describe('inputs', () => {
  it('are files that match a glob, files that are named, and files in folders that are named', async () => {
    const baseDir = makeFolder(FILES);
    mkdirSync(join(baseDir, 'empty'));
    const inputs = ['src/*.ts', '!src/b.ts', 'src/deep', 'later.md', '../up.md', 'none/*', 'empty'];
    const { steps } = await expandPlan([{ id: 'x', prompt: 'x', inputs }], { baseDir });
    const names = [
      '../up.md',
      'later.md',
      'src/[x] y.ts',
      'src/a.ts',
      'src/deep/c.ts',
      'src/new\nline.ts',
    ];
    expect(steps[0]?.inputs).toEqual(names.map((name) => join(baseDir, name)).sort());
  });
});
