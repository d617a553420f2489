import { describe, expect, it } from 'vitest';
import type { ManifestFile } from '../../../src/api/manifest.js';
import { checkFiles, checkNoChangesOutside } from '../../../src/step/expectations/check-files.js';

const file = (path: string, more: Partial<ManifestFile> = {}): ManifestFile => ({
  path,
  absolutePath: `/project/${path}`,
  kind: 'created',
  tools: [],
  toolIds: [],
  bytes: 1,
  confirmed: true,
  outsideWorkspace: path.startsWith('../'),
  ...more,
});

const FILES = [
  file('src/a.ts'),
  file('src/b.ts', { kind: 'modified' }),
  file('src/c.ts', { kind: 'deleted' }),
  file('src/d.ts', { kind: 'unchanged' }),
  file('../lib/e.ts', { outsideWorkspace: false }),
  file('../f.ts'),
];

describe('files that a step must have written', () => {
  it.each([
    ['a glob alone', 'src/*.ts'],
    ['exactly as many', { glob: 'src/*.ts', min: 2, max: 2 }],
    ['none, where none need be', { glob: '*.md', min: 0 }],
    ['none, where there may be none', { glob: 'src/{c,d}.ts', min: 0, max: 0 }],
    ['in an included folder', '../lib/*.ts'],
  ])('are found: %s', (_name, expected) => {
    expect(checkFiles([expected], FILES)).toEqual([]);
  });

  it.each([
    ['deleted', 'src/c.ts'],
    ['as it was', 'src/d.ts'],
    ['outside of the workspace', '../*.ts'],
    ['elsewhere', 'a.ts'],
  ])('do not count if the file is %s', (_name, glob) => {
    expect(checkFiles([glob], FILES)).toMatchObject([{ kind: 'files', paths: [] }]);
  });

  it('that are too few are reported with the files found', () => {
    expect(checkFiles([{ glob: 'src/*.ts', min: 3 }, '*.md'], FILES.slice(0, 4))).toEqual([
      {
        kind: 'files',
        message:
          'At least 3 files created or modified must match "src/*.ts"; these do: "src/a.ts", "src/b.ts"',
        detail: 'Created or modified so far: "src/a.ts", "src/b.ts"',
        paths: ['src/a.ts', 'src/b.ts'],
      },
      {
        kind: 'files',
        message: 'At least 1 file created or modified must match "*.md"; none does',
        detail: 'Created or modified so far: "src/a.ts", "src/b.ts"',
        paths: [],
      },
    ]);
    expect(checkFiles(['a'], [])).toMatchObject([
      { detail: 'Created or modified so far: no file' },
    ]);
  });

  it('that are too many are reported', () => {
    expect(checkFiles([{ glob: 'src/**', max: 1 }], FILES)).toEqual([
      {
        kind: 'files',
        message:
          'At most 1 file created or modified may match "src/**"; these do: "src/a.ts", "src/b.ts"',
        paths: ['src/a.ts', 'src/b.ts'],
      },
    ]);
  });

  it('may have any name', () => {
    const odd = [file('a\nb "c".txt')];
    const [missing] = checkFiles(['x'], odd);
    expect(missing?.detail).toBe('Created or modified so far: "a\\nb \\"c\\".txt"');
    expect(checkFiles(['*.txt'], odd)).toEqual([]);
  });
});

describe('changes outside the allowed globs', () => {
  it('are files that no glob matches, also deleted files and files outside the workspace', () => {
    expect(checkNoChangesOutside(['src/[ab].ts', '../lib/**'], FILES)).toEqual([
      {
        kind: 'noChangesOutside',
        message:
          '2 files changed that must not change (only "src/[ab].ts", "../lib/**" may change): "src/c.ts", "../f.ts"',
        detail: 'deleted: "src/c.ts"\ncreated: "../f.ts"',
        paths: ['src/c.ts', '../f.ts'],
      },
    ]);
    expect(checkNoChangesOutside(['src/**', '../**'], FILES)).toEqual([]);
  });

  it('are all changes if no file may change', () => {
    expect(checkNoChangesOutside([], [file('a'), file('b', { kind: 'unchanged' })])).toMatchObject([
      { message: expect.stringContaining('(no file may change): "a"'), paths: ['a'] },
    ]);
    expect(checkNoChangesOutside([], [])).toEqual([]);
  });

  it('are shortened in the message if there are many, and listed in full in `paths`', () => {
    const many = Array.from({ length: 3000 }, (_, index) => file(`f${index}`));
    const [missing] = checkNoChangesOutside(['src/**'], many);
    expect(missing?.message).toContain('and 2980 more');
    expect(missing?.detail?.split('\n')).toHaveLength(100);
    expect(missing?.paths).toHaveLength(3000);
  });
});
