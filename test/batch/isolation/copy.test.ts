import {
  chmodSync,
  existsSync,
  linkSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeTree } from '../../base/fs/make-tree.js';
import { git } from '../../base/git/git-as-user.js';
import {
  ALL_CHANGES,
  edit,
  type Files,
  LINES,
  makeSocket,
  merge,
  open,
  read,
  withPath,
  writeByteName,
} from './support.js';

async function openCopy(files: Files, workspaceDir = makeTree(files)) {
  const workspace = await open({ kind: 'copy', workspaceDir, stateDir: makeTree() });
  return { folder: workspaceDir, workspace, dir: workspace.dir };
}

describe('a copy', () => {
  it('contains all files of the folder, ignored files included', async () => {
    const folder = makeTree({
      'a.txt': 'a\n',
      'sub/.gitignore': 'x.log\n',
      'sub/x.log': 'l\n',
      'no/files/': '',
    });
    edit(folder, { 'run.sh': '+xr\n', link: '-> a.txt', 'big.bin': Buffer.alloc(9_000_000, 1) });
    writeByteName(folder, [0xff], 'bytes\n');
    utimesSync(join(folder, 'a.txt'), 1_000_000, 1_000_000);
    const { workspace, dir } = await openCopy({}, folder);
    expect(read(dir)).toEqual(read(folder));
    expect(existsSync(join(dir, 'no/files'))).toBe(true);
    expect(statSync(join(dir, 'a.txt')).mtimeMs).toBe(1_000_000_000);
    expect(workspace.notes).toEqual([]);
    expect(workspace.toIsolated('sub/x')).toBe(join(dir, 'sub/x'));
    expect(workspace.toOriginal(join(dir, 'sub/x'))).toBe(join(folder, 'sub/x'));
  });

  it('has notes about entries that were not copied and links into the original', async () => {
    const folder = makeTree({ 'a.txt': 'a\n' });
    await makeSocket(join(folder, 'socket'));
    edit(folder, { back: `-> ${join(folder, 'a.txt')}`, '.git': 'gitdir: /somewhere/else\n' });
    const { workspace, dir } = await openCopy({}, folder);
    expect(Object.keys(read(dir, []))).toEqual(['a.txt', 'back']);
    expect([...workspace.notes].sort()).toEqual([
      'Entry .git belongs to a repository outside of the folder and was not copied',
      'Entry socket is not a file, folder or link and was not copied',
      'Link back leads into the original: writes through it change the original',
    ]);
  });

  it('of a repository is a separate repository, whose .git is not merged', async () => {
    const folder = makeTree({ 'a.txt': 'a\n', '.gitignore': 'out\n', 'out/x': 'x\n' });
    git(folder, 'init', '-q');
    git(folder, 'add', '-A');
    git(folder, 'commit', '-qm', 'first');
    const before = read(join(folder, '.git'), []);
    const { workspace, dir } = await openCopy({}, folder);
    edit(dir, { 'b.txt': 'b\n', 'out/y': 'y\n', 'out/z': 'z\n' });
    git(dir, 'add', '-A');
    git(dir, 'commit', '-qm', 'second');
    expect(await merge(workspace, ['out/z'])).toMatchObject({ paths: ['b.txt', 'out/z'] });
    expect(read(join(folder, '.git'), [])).toEqual(before);
    expect(git(folder, 'status', '--porcelain')).toBe('?? b.txt\n');
  });

  it('does not contain the state folder inside the workspace', async () => {
    const folder = makeTree({ 'a.txt': 'a\n', 'state/ledger': 'l\n' });
    const stateDir = join(folder, 'state');
    const workspace = await open({ kind: 'copy', workspaceDir: folder, stateDir });
    expect(read(workspace.dir)).toEqual({ 'a.txt': 'a\n' });
    expect(await merge(workspace)).toMatchObject({ merged: true, paths: [] });
    expect(existsSync(join(stateDir, 'ledger'))).toBe(true);
  });

  it('keeps folders read-only, and can be removed', async () => {
    const folder = makeTree({ 'closed/a.txt': 'a\n' });
    chmodSync(join(folder, 'closed'), 0o555);
    const { workspace, dir } = await openCopy({}, folder);
    expect(statSync(join(dir, 'closed')).mode & 0o777).toBe(0o555);
    await workspace.dispose();
    expect(existsSync(dir)).toBe(false);
    chmodSync(join(folder, 'closed'), 0o755);
  });
});

describe('the changes of a step in a copy', () => {
  it('are merged, whatever their kind', async () => {
    const { folder, workspace, dir } = await openCopy({
      ...ALL_CHANGES.before,
      'touched.txt': 't\n',
      'old.log': 'o\n',
    });
    edit(folder, { 'mine.txt': 'mine\n', 'same.txt': 'changed by the user\n' });
    edit(dir, {
      ...ALL_CHANGES.edits,
      'touched.txt': 't\n',
      'new.log': 'ignored\n',
      'old.log': 'ignored\n',
    });
    writeByteName(dir, [0xff], 'bytes\n');
    const wanted = {
      ...read(dir),
      'mine.txt': 'mine\n',
      'same.txt': 'changed by the user\n',
      'old.log': 'o\n',
    };
    const { 'new.log': _log, ...expected } = { 'new.log': '', ...wanted };
    const outcome = await merge(workspace);
    expect(outcome.merged && outcome.paths).toEqual([...ALL_CHANGES.paths, '\\xff']);
    expect(read(folder)).toEqual(expected);
    expect(existsSync(join(folder, 'gone'))).toBe(false);
  });

  it('are merged with those of others, even in the same text file', async () => {
    const { folder, workspace, dir } = await openCopy({ 'a.txt': LINES, 'bad name\n.txt': LINES });
    edit(dir, { 'a.txt': LINES.replace('one', 'ONE'), 'bad name\n.txt': `+x${LINES}eight\n` });
    edit(folder, { 'a.txt': LINES.replace('seven', 'SEVEN'), 'bad name\n.txt': `zero\n${LINES}` });
    expect(await merge(workspace)).toMatchObject({ merged: true });
    expect(read(folder)).toEqual({
      'a.txt': 'ONE\ntwo\nthree\nfour\nfive\nsix\nSEVEN\n',
      'bad name\n.txt': `+xzero\n${LINES}eight\n`,
    });
  });

  it('are kept as a patch on a conflict, and the original does not change', async () => {
    const files = {
      'a.txt': LINES,
      'b.bin': 'b\0',
      'gone.txt': 'g\n',
      'kept.txt': 'k\n',
      'c.txt': 'c\r\n',
    };
    const { folder, workspace, dir } = await openCopy({
      ...files,
      '.gitattributes': '* text eol=lf\n',
    });
    edit(dir, {
      'a.txt': LINES.replace('two', 'theirs'),
      'b.bin': 'theirs\0',
      'gone.txt': null,
      'kept.txt': null,
    });
    edit(dir, { 'c.txt': 'd\r\n', 'both.txt': 'theirs\n', 'sub/x.txt': 'x\n' });
    edit(folder, {
      'a.txt': LINES.replace('two', 'ours'),
      'b.bin': 'ours\0',
      'kept.txt': 'changed\n',
    });
    edit(folder, { 'both.txt': 'ours\n', sub: 'a file\n' });
    const before = read(folder);
    const outcome = await merge(workspace);
    if (outcome.merged) throw new Error('merged');
    expect(outcome.conflicts).toEqual([
      { path: 'a.txt', reason: 'changed' },
      { path: 'b.bin', reason: 'changed' },
      { path: 'both.txt', reason: 'changed' },
      { path: 'kept.txt', reason: 'changed' },
    ]);
    expect(read(folder)).toEqual(before);
    // The patch leaves out the old content of a changed binary file, which is not kept.
    const { 'b.bin': _binary, ...known } = files;
    const target = makeTree({ ...known, '.gitattributes': '* text eol=lf\n' });
    git(target, 'apply', '--whitespace=nowarn', outcome.patchFile);
    expect(read(target)).toEqual(read(dir));
  });

  it('are a conflict if a file blocks a folder, or a folder blocks a file', async () => {
    const { folder, workspace, dir } = await openCopy({ 'a.txt': 'a\n' });
    edit(dir, { 'sub/x.txt': 'x\n', thing: 't\n', 'b.txt': 'b\n' });
    edit(folder, { sub: 'a file\n', 'thing/inside': 'i\n' });
    const before = read(folder);
    expect(await merge(workspace)).toMatchObject({
      merged: false,
      conflicts: [
        { path: 'sub', reason: 'occupied' },
        { path: 'thing', reason: 'occupied' },
      ],
    });
    expect(read(folder)).toEqual(before);
  });

  it('are skipped if the original already has them', async () => {
    const { folder, workspace, dir } = await openCopy({ 'a.txt': 'a\n', 'gone.txt': 'g\n' });
    const edits = { 'a.txt': 'same\n', 'new.txt': 'n\n', 'gone.txt': null };
    edit(dir, edits);
    edit(folder, edits);
    expect(await merge(workspace)).toEqual({ merged: true, paths: [], notes: [] });
    expect(
      await workspace.keepPatch({ extraPaths: [], patchFile: join(makeTree(), 'p') }),
    ).toBeDefined();
  });

  it('are found even if size and mtime of the file are the same', async () => {
    const { folder, workspace, dir } = await openCopy({ 'a.txt': 'one\n' });
    const { atime, mtime } = statSync(join(dir, 'a.txt'));
    writeFileSync(join(dir, 'a.txt'), 'two\n');
    utimesSync(join(dir, 'a.txt'), atime, mtime);
    await merge(workspace);
    expect(read(folder)).toEqual({ 'a.txt': 'two\n' });
  });

  it('do not change other hard links of the same file', async () => {
    const folder = makeTree({ 'a.txt': 'a\n' });
    linkSync(join(folder, 'a.txt'), join(folder, 'b.txt'));
    const { workspace, dir } = await openCopy({}, folder);
    edit(dir, { 'a.txt': 'changed\n' });
    await merge(workspace);
    expect(read(folder)).toEqual({ 'a.txt': 'changed\n', 'b.txt': 'a\n' });
  });

  it('are merged even if the folder itself is ignored by its repository', async () => {
    const repository = makeTree({ '.gitignore': 'build\n', 'build/a.txt': 'a\n' });
    git(repository, 'init', '-q');
    const { folder, workspace, dir } = await openCopy({}, join(repository, 'build'));
    edit(dir, { 'a.txt': 'changed\n', 'new.txt': 'n\n' });
    expect(await merge(workspace)).toMatchObject({ merged: true, paths: ['a.txt', 'new.txt'] });
    expect(read(folder)).toEqual({ 'a.txt': 'changed\n', 'new.txt': 'n\n' });
  });

  it('give no patch if there are none', async () => {
    const { workspace } = await openCopy({ 'a.txt': 'a\n' });
    const patchFile = join(makeTree(), 'p');
    expect(await workspace.keepPatch({ extraPaths: [], patchFile })).toBeUndefined();
    expect(existsSync(patchFile)).toBe(false);
  });
});

describe('a copy without git', () => {
  it('reports files that both sides changed as a conflict, and keeps the changed files in a folder', async () => {
    withPath(makeTree());
    const { folder, workspace, dir } = await openCopy({ 'a.txt': LINES, 'b.txt': 'b\n' });
    edit(dir, { 'b.txt': null, 'sub/new.txt': 'n\n' });
    expect(await merge(workspace)).toMatchObject({ merged: true });
    edit(dir, { 'a.txt': LINES.replace('one', '1'), link: '-> a.txt' });
    edit(folder, { 'a.txt': LINES.replace('seven', '7') });
    const outcome = await merge(workspace);
    if (outcome.merged) throw new Error('merged');
    expect(outcome.conflicts).toEqual([{ path: 'a.txt', reason: 'changed' }]);
    expect(read(join(outcome.patchFile, 'files'))).toEqual({
      'a.txt': LINES.replace('one', '1'),
      link: '-> a.txt',
      'sub/new.txt': 'n\n',
    });
    expect(readFileSync(join(outcome.patchFile, 'removed.txt'), 'utf8')).toBe('b.txt\n');
  });
});
