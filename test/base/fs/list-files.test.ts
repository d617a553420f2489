import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { join, relative } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { listFiles } from '../../../src/base/fs/list-files.js';
import { makeTree } from './make-tree.js';

async function namesIn(root: string, ignoreFiles: readonly string[] = []): Promise<string[]> {
  const files = await listFiles(root, ignoreFiles);
  return files.map((path) => relative(root, path)).sort();
}

describe('the list of files', () => {
  it('has every file below the folder, with its absolute path', async () => {
    const root = makeTree({ 'a.txt': '', 'sub/b.txt': '', 'sub/deep/c d.txt': '', 'empty/': '' });
    const files = await listFiles(root, []);
    expect(files.sort()).toEqual(
      ['a.txt', 'sub/b.txt', 'sub/deep/c d.txt'].map((name) => join(root, name)),
    );
  });

  it('has file names with blanks, newlines and Unicode', async () => {
    const names = ['a b', 'line\nbreak', 'ünïcödé', '漢字', '.hidden', '-dash'];
    const root = makeTree(Object.fromEntries(names.map((name) => [name, 'x'])));
    expect(await namesIn(root)).toEqual([...names].sort());
  });

  it('has links as links and does not follow them', async () => {
    const root = makeTree({ 'app/a.txt': 'x', 'outside/b.txt': 'x' });
    symlinkSync('../outside', join(root, 'app/folder-link'));
    symlinkSync('a.txt', join(root, 'app/file-link'));
    symlinkSync('nowhere', join(root, 'app/dead-link'));
    symlinkSync('.', join(root, 'app/loop'));
    expect(await namesIn(join(root, 'app'))).toEqual([
      'a.txt',
      'dead-link',
      'file-link',
      'folder-link',
      'loop',
    ]);
  });

  it('leaves out everything but files and links', async () => {
    const root = makeTree({ 'a.txt': 'x' });
    const server = createServer().listen(join(root, 'socket'));
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    expect(existsSync(join(root, 'socket'))).toBe(true);
    expect(await namesIn(root)).toEqual(['a.txt']);
  });

  it('leaves out files that the ignore files exclude', async () => {
    const root = makeTree({
      '.git/config': 'x',
      '.gitignore': '*.log\nbuild/',
      'a.txt': 'x',
      'a.log': 'x',
      'build/out.js': 'x',
      'sub/.gitignore': '!b.log\nprivate',
      'sub/b.log': 'x',
      'sub/c.log': 'x',
      'sub/private/d.txt': 'x',
      'node_modules/x/index.js': 'x',
    });
    expect(await namesIn(root, ['.gitignore'])).toEqual([
      '.gitignore',
      'a.txt',
      'sub/.gitignore',
      'sub/b.log',
    ]);
  });

  it('equals the list of git', async () => {
    const root = makeTree({
      '.gitignore': '/*.o\ndist\n!dist/keep.txt\nlogs/*\n!logs/keep.log\n**/tmp/x\n',
      'a.o': 'x',
      'sub/a.o': 'x',
      'dist/keep.txt': 'x',
      'sub/dist/b': 'x',
      'logs/a.log': 'x',
      'logs/keep.log': 'x',
      'sub/tmp/x': 'x',
      'sub/tmp/y': 'x',
      'sub/.gitignore': '*\n!*.o\n!.gitignore\n!tmp\n',
    });
    const git = (...args: string[]) =>
      execFileSync('git', ['-C', root, ...args], { encoding: 'utf8' });
    git('init', '--quiet');
    const listed = git('ls-files', '--others', '--exclude-standard', '-z').split('\0');
    expect(await namesIn(root, ['.gitignore'])).toEqual(listed.filter(Boolean).sort());
  });

  it('is empty for a folder that does not exist', async () => {
    expect(await listFiles(join(makeTree(), 'nope'), [])).toEqual([]);
  });

  it('stops after an abort', async () => {
    const root = makeTree({ 'a/b/c.txt': '' });
    await expect(listFiles(root, [], { signal: AbortSignal.abort('enough') })).rejects.toBe(
      'enough',
    );
  });

  it('is complete for more folders than are read between two yields', async () => {
    const names = Array.from({ length: 200 }, (_, index) => `folder-${index}/file.txt`);
    const root = makeTree(Object.fromEntries(names.map((name) => [name, ''])));
    expect(await namesIn(root)).toEqual([...names].sort());
  });
});

describe('the listing of a folder', () => {
  it('reports folders that exist but cannot be read', async () => {
    const root = makeTree({ 'a.txt': 'x' });
    mkdirSync(Buffer.from([...Buffer.from(join(root, 'bad')), 0xff]));
    const closed: string[] = [];
    const onClosedFolder = (path: string) => closed.push(path);
    await listFiles(root, [], { onClosedFolder });
    await listFiles(join(root, 'nope'), [], { onClosedFolder });
    await listFiles(join(root, 'a.txt'), [], { onClosedFolder });
    await listFiles(join(root, 'x'.repeat(300)), [], { onClosedFolder });
    expect(closed).toEqual([join(root, 'bad\ufffd'), join(root, 'x'.repeat(300))]);
  });

  it('stops at an abort between two yields', async () => {
    const names = Array.from({ length: 200 }, (_, index) => `folder-${index}/file.txt`);
    const root = makeTree(Object.fromEntries(names.map((name) => [name, ''])));
    const cancel = new AbortController();
    setImmediate(() => cancel.abort('enough'));
    await expect(listFiles(root, [], { signal: cancel.signal })).rejects.toBe('enough');
  });

  it('applies the rules of the given parent folder', async () => {
    const root = makeTree({ '.gitignore': '*.log', 'sub/a.log': 'x', 'sub/.git/HEAD': 'x' });
    const sub = join(root, 'sub');
    expect(await listFiles(sub, ['.gitignore'])).toHaveLength(1);
    expect(await listFiles(sub, ['.gitignore'], { rulesFrom: root })).toEqual([]);
  });
});

it('the list of files leaves out folders that are on no disk, such as /proc', async () => {
  const root = makeTree({ 'a.txt': '', 'proc/1/mem': '', 'sub/proc/b.txt': '' });
  const files = await listFiles(root, [], { skipped: new Set([join(root, 'proc')]) });
  expect(files.map((path) => relative(root, path)).sort()).toEqual(['a.txt', 'sub/proc/b.txt']);
});
