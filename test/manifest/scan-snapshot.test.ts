import {
  appendFileSync,
  mkdirSync,
  rmSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sha256 } from '../../src/manifest/fingerprint.js';
import { takeScanSnapshot } from '../../src/manifest/scan-snapshot.js';
import { addFiles, type Files, makeFolder } from '../fixtures/cli/support.js';

/** What has changed after `act`: name to the hash before, `null` for a new file. */
async function changesAfter(files: Files, act: (folder: string) => void) {
  const folder = makeFolder(files);
  for (const name of Object.keys(files)) utimesSync(join(folder, name), 1000, 1000);
  const snapshot = await takeScanSnapshot(folder);
  act(folder);
  const found = (await snapshot.changes()).map(({ path, before }) => {
    return [relative(folder, path), before === null ? null : before?.sha256] as const;
  });
  return Object.fromEntries(found);
}

const old = (content: string) => sha256(content);

describe('a folder before and after', () => {
  it('shows what was made, changed and removed', async () => {
    const files = { 'same.txt': 's', 'sub/changed.txt': 'one', 'gone.txt': 'g' };
    const changes = await changesAfter(files, (folder) => {
      writeFileSync(join(folder, 'sub/changed.txt'), 'longer');
      unlinkSync(join(folder, 'gone.txt'));
      addFiles(folder, { 'new/deep/a.txt': 'new', '-dash': '', 'line\nend ü': '' });
    });
    expect(changes).toEqual({
      'sub/changed.txt': old('one'),
      'gone.txt': old('g'),
      'new/deep/a.txt': null,
      '-dash': null,
      'line\nend ü': null,
    });
  });

  it('shows a change that left size and time as they were', async () => {
    const changes = await changesAfter({ a: 'one', b: 'one' }, (folder) => {
      writeFileSync(join(folder, 'a'), 'two');
      utimesSync(join(folder, 'a'), 1000, 1000);
    });
    expect(changes).toEqual({ a: old('one') });
  });

  it('does not show a file that was only touched, rewritten or replaced by its like', async () => {
    const changes = await changesAfter({ a: 'one', b: 'two', c: 'three' }, (folder) => {
      utimesSync(join(folder, 'a'), 2000, 2000);
      writeFileSync(join(folder, 'b'), 'two');
      rmSync(join(folder, 'c'));
      writeFileSync(join(folder, 'c'), 'three');
    });
    expect(changes).toEqual({});
  });

  it('shows links that were made, moved and removed, and does not follow them', async () => {
    const outside = makeFolder({ 'far.txt': 'x' });
    const folder = makeFolder({ a: '', b: '' });
    symlinkSync('a', join(folder, 'moved'));
    symlinkSync('a', join(folder, 'removed'));
    symlinkSync(outside, join(folder, 'elsewhere'));
    const snapshot = await takeScanSnapshot(folder);
    unlinkSync(join(folder, 'moved'));
    symlinkSync('b', join(folder, 'moved'));
    unlinkSync(join(folder, 'removed'));
    symlinkSync('nowhere', join(folder, 'made'));
    writeFileSync(join(outside, 'far.txt'), 'changed');
    const changes = await snapshot.changes();
    expect(changes.map(({ path }) => relative(folder, path)).sort()).toEqual([
      'made',
      'moved',
      'removed',
    ]);
  });

  it('does not look at what the ignore files exclude', async () => {
    const files = {
      '.gitignore': 'out/\n*.log\n',
      '.geminiignore': 'private\n',
      'sub/.gitignore': '!keep.log\n',
      'out/a': '',
    };
    const changes = await changesAfter(files, (folder) => {
      addFiles(folder, {
        'out/b': '',
        'x.log': '',
        private: '',
        'sub/keep.log': '',
        'node_modules/p/index.js': '',
        '.git/index': '',
      });
    });
    expect(changes).toEqual({ 'sub/keep.log': null });
  });

  it('does not call a file removed that is ignored from now on', async () => {
    const changes = await changesAfter({ 'a.log': 'x', '.gitignore': '' }, (folder) => {
      appendFileSync(join(folder, '.gitignore'), '*.log\n');
    });
    expect(changes).toEqual({ '.gitignore': old('') });
  });

  it('knows a large file by its times alone', async () => {
    const changes = await changesAfter({ 'big.bin': '', 'other.bin': '' }, () => {});
    expect(changes).toEqual({});
    const folder = makeFolder({ 'big.bin': '', 'other.bin': '' });
    for (const name of ['big.bin', 'other.bin']) truncateSync(join(folder, name), 5_000_000);
    const snapshot = await takeScanSnapshot(folder);
    appendFileSync(join(folder, 'big.bin'), 'x');
    expect(await snapshot.changes()).toEqual([
      { path: join(folder, 'big.bin'), before: undefined },
    ]);
  });

  it('shows nothing in a folder that is empty or has gone', async () => {
    expect(await changesAfter({}, (folder) => mkdirSync(join(folder, 'empty')))).toEqual({});
    const changes = await changesAfter({ a: 'x' }, (folder) => rmSync(folder, { recursive: true }));
    expect(changes).toEqual({ a: old('x') });
  });
});

describe('a file and a folder of one name', () => {
  it('are told apart where the file becomes a folder', async () => {
    const changes = await changesAfter({ a: 'file' }, (folder) => {
      unlinkSync(join(folder, 'a'));
      addFiles(folder, { 'a/b': 'new' });
    });
    expect(changes).toEqual({ a: old('file'), 'a/b': null });
  });

  it('are told apart where the folder becomes a file', async () => {
    const changes = await changesAfter({ 'a/b': 'old' }, (folder) => {
      rmSync(join(folder, 'a'), { recursive: true });
      writeFileSync(join(folder, 'a'), 'file');
    });
    expect(changes).toEqual({ 'a/b': old('old'), a: null });
  });
});
