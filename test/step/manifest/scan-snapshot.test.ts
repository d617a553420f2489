import {
  appendFileSync,
  mkdirSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sha256 } from '../../../src/base/fs/fingerprint.js';
import { takeScanSnapshot } from '../../../src/step/manifest/scan-snapshot.js';
import { addFiles, type Files, makeFolder } from '../../fixtures/cli/support.js';

/** Maps each path that `act` changed to its old hash; `null` for a new file. */
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

describe('the snapshot of a folder', () => {
  it('shows created, changed and deleted files', async () => {
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

  it('shows a change that kept size and modification time', async () => {
    const changes = await changesAfter({ a: 'one', b: 'one' }, (folder) => {
      writeFileSync(join(folder, 'a'), 'two');
      utimesSync(join(folder, 'a'), 1000, 1000);
    });
    expect(changes).toEqual({ a: old('one') });
  });

  it('does not show a file that was touched, rewritten or replaced with the same content', async () => {
    const changes = await changesAfter({ a: 'one', b: 'two', c: 'three' }, (folder) => {
      utimesSync(join(folder, 'a'), 2000, 2000);
      writeFileSync(join(folder, 'b'), 'two');
      rmSync(join(folder, 'c'));
      writeFileSync(join(folder, 'c'), 'three');
    });
    expect(changes).toEqual({});
  });

  it('shows created, changed and deleted symlinks and does not follow them', async () => {
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

  it('leaves out files that the ignore files exclude', async () => {
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

  it('does not show a file as deleted that a new rule ignores', async () => {
    const changes = await changesAfter({ 'a.log': 'x', '.gitignore': '' }, (folder) => {
      appendFileSync(join(folder, '.gitignore'), '*.log\n');
    });
    expect(changes).toEqual({ '.gitignore': old('') });
  });

  it('compares a large file by its hash, so that a touch is no change', async () => {
    const folder = makeFolder({ 'touched.bin': '', 'changed.bin': '' });
    for (const name of ['touched.bin', 'changed.bin']) {
      truncateSync(join(folder, name), 9_000_000);
      utimesSync(join(folder, name), 1000, 1000);
    }
    const snapshot = await takeScanSnapshot(folder);
    utimesSync(join(folder, 'touched.bin'), 2000, 2000);
    appendFileSync(join(folder, 'changed.bin'), 'x');
    expect(await snapshot.changes()).toEqual([
      {
        path: join(folder, 'changed.bin'),
        before: { bytes: 9_000_000, sha256: sha256(Buffer.alloc(9_000_000)) },
      },
    ]);
  });

  it('compares a file that is too large for the hash budget by its times, and the others by hash', async () => {
    const folder = makeFolder({ 'a-vast.bin': '', 'small.txt': 'one', 'still.bin': '' });
    for (const name of ['a-vast.bin', 'still.bin']) truncateSync(join(folder, name), 2 ** 40);
    const snapshot = await takeScanSnapshot(folder);
    utimesSync(join(folder, 'a-vast.bin'), 2000, 2000);
    utimesSync(join(folder, 'small.txt'), 2000, 2000);
    expect(await snapshot.changes()).toEqual([
      { path: join(folder, 'a-vast.bin'), before: undefined },
    ]);
  });

  it('shows no change in a folder that is empty or was removed', async () => {
    expect(await changesAfter({}, (folder) => mkdirSync(join(folder, 'empty')))).toEqual({});
    const changes = await changesAfter({ a: 'x' }, (folder) => rmSync(folder, { recursive: true }));
    expect(changes).toEqual({ a: old('x') });
  });
});

describe('a file and a folder with the same name', () => {
  it('are distinguished if the file becomes a folder', async () => {
    const changes = await changesAfter({ a: 'file' }, (folder) => {
      unlinkSync(join(folder, 'a'));
      addFiles(folder, { 'a/b': 'new' });
    });
    expect(changes).toEqual({ a: old('file'), 'a/b': null });
  });

  it('are distinguished if the folder becomes a file', async () => {
    const changes = await changesAfter({ 'a/b': 'old' }, (folder) => {
      rmSync(join(folder, 'a'), { recursive: true });
      writeFileSync(join(folder, 'a'), 'file');
    });
    expect(changes).toEqual({ 'a/b': old('old'), a: null });
  });
});

describe('paths that cannot be compared', () => {
  it('are reported: files and folders whose names are not UTF-8', async () => {
    const folder = makeFolder({ 'a.txt': '', 'real \ufffd.txt': '' });
    const nameOf = (end: number) => Buffer.from([...Buffer.from(join(folder, 'bad')), end]);
    writeFileSync(nameOf(0xfd), '');
    const snapshot = await takeScanSnapshot(folder);
    writeFileSync(nameOf(0xff), '');
    mkdirSync(nameOf(0xfe));
    const changes = await snapshot.changes();
    const obstacle = { path: join(folder, 'bad\ufffd'), before: undefined, obstacle: 'name' };
    expect(changes).toEqual([obstacle, obstacle, obstacle]);
    for (const end of [0xfd, 0xff]) unlinkSync(nameOf(end));
    rmdirSync(nameOf(0xfe));
    expect(await snapshot.changes()).toEqual([obstacle]);
  });
});

describe('a folder that the repository above it ignores', () => {
  it('is compared by its own rules', async () => {
    const repository = makeFolder({ '.git/HEAD': '', '.gitignore': 'work/\n*.log\n' });
    const folder = join(repository, 'work/one');
    addFiles(folder, { '.gitignore': 'out\n' });
    const snapshot = await takeScanSnapshot(folder);
    addFiles(folder, { 'a.txt': '', 'out/b.txt': '' });
    expect(await snapshot.changes()).toEqual([{ path: join(folder, 'a.txt'), before: null }]);
  });
});

describe('a folder that becomes a repository during the step', () => {
  it('is compared by the ignore rules from before the step', async () => {
    const repository = makeFolder({ '.git/HEAD': '', '.gitignore': '*.log\n', 'sub/a.log': '' });
    const folder = join(repository, 'sub');
    const snapshot = await takeScanSnapshot(folder);
    addFiles(folder, { '.git/HEAD': '', 'b.txt': '' });
    expect(await snapshot.changes()).toEqual([{ path: join(folder, 'b.txt'), before: null }]);
  });
});
