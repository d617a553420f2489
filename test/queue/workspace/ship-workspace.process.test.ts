import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeTree } from '../../base/fs/make-tree.js';
import { edit, LINES, makeRepository, read } from '../../batch/isolation/support.js';
import { createShipLab, openUntilEnd } from './support.js';

const FILES = { 'a.txt': LINES, 'sub/b.txt': 'b\n', 'gone.txt': 'g\n', '.gitignore': 'dist\n' };

describe.each(['repository', 'plain folder'] as const)('shipWorkspace of a %s', (kind) => {
  const make = (): string =>
    kind === 'repository' ? makeRepository(FILES).folder : makeTree(FILES);

  it('carries uncommitted and untracked files, and brings all changes back', async () => {
    const folder = make();
    edit(folder, {
      'a.txt': `${LINES}uncommitted\n`,
      'new ü.txt': 'untracked\n',
      'run.sh': '+x#!/bin/sh\n',
    });
    const lab = createShipLab();
    const applied = await lab.step(
      folder,
      (dir) => {
        expect(read(dir)).toEqual(read(folder));
        edit(dir, {
          'a.txt': `changed\n${LINES}uncommitted\n`,
          'gone.txt': null,
          'run.sh': '#!/bin/sh\n',
          'bin.dat': Buffer.from([0, 255, 10, 13, 0]),
          link: '-> sub/b.txt',
          'deep/er/x.sh': '+xecho\n',
          'dist/made.js': 'ignored\n',
          'dist/other.js': 'not named\n',
        });
      },
      { files: ['a.txt', 'dist/made.js'] },
    );
    expect(applied.files.map(({ path, confirmed }) => [path, confirmed])).toEqual([
      ['a.txt', true],
      ['dist/made.js', true],
    ]);
    expect(applied.files[0]?.absolutePath).toBe(join(folder, 'a.txt'));
    expect(read(folder)).toEqual({
      '.gitignore': 'dist\n',
      'a.txt': `changed\n${LINES}uncommitted\n`,
      [Buffer.from('new ü.txt').toString('latin1')]: 'untracked\n',
      'sub/b.txt': 'b\n',
      'run.sh': '#!/bin/sh\n',
      'bin.dat': Buffer.from([0, 255, 10, 13, 0]).toString('latin1'),
      link: '-> sub/b.txt',
      'deep/er/x.sh': '+xecho\n',
      'dist/made.js': 'ignored\n',
    });
  });

  it('costs a few bytes when the base is known', async () => {
    const folder = make();
    const lab = createShipLab();
    const first = await lab.ship(folder);
    expect(lab.blobs.written).toBeGreaterThan(0);
    lab.blobs.written = 0;
    expect(await lab.ship(folder)).toEqual(first);
    edit(folder, { 'a.txt': `${LINES}more\n` });
    const second = await lab.ship(folder);
    expect(lab.blobs.written).toBe(0);
    expect(second.base).toEqual(first.base);
    expect(JSON.stringify(second).length).toBeLessThan(2000);
    const opened = await openUntilEnd(lab, second);
    expect(read(opened.dir)).toEqual(read(folder));
  });
});
