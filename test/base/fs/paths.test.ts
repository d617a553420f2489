import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isInside, realpathOf, toSlashes } from '../../../src/base/fs/paths.js';
import { makeTree } from './make-tree.js';

describe('the real path', () => {
  it('of an existing file has all links followed', () => {
    const root = makeTree({ 'real/file.txt': 'x' });
    symlinkSync('real', join(root, 'link'));
    expect(realpathOf(join(root, 'link/file.txt'))).toBe(join(root, 'real/file.txt'));
  });

  it('of a missing file has the links above it followed', () => {
    const root = makeTree({ 'real/': '' });
    symlinkSync('real', join(root, 'link'));
    expect(realpathOf(join(root, 'link/a/b.txt'))).toBe(join(root, 'real/a/b.txt'));
  });

  it('of a path below a file is that path', () => {
    const root = makeTree({ 'file.txt': 'x' });
    expect(realpathOf(join(root, 'file.txt/below'))).toBe(join(root, 'file.txt/below'));
  });

  it('of the root is the root', () => {
    expect(realpathOf('/')).toBe('/');
    expect(realpathOf('/no-such-folder-at-all')).toBe('/no-such-folder-at-all');
  });
});

describe('a path', () => {
  it.each(['a.txt', 'sub/a.txt', 'missing/deep/a.txt', '..strange', '...', '.'])(
    '"%s" is inside',
    (path) => {
      const root = makeTree({ 'sub/a.txt': 'x' });
      expect(isInside(root, join(root, path))).toBe(true);
    },
  );

  it.each(['..', '../other', '../other/a.txt', '/etc/passwd'])('"%s" is outside', (path) => {
    const root = makeTree();
    expect(isInside(root, path.startsWith('/') ? path : join(root, path))).toBe(false);
  });

  it('is outside if only the beginning of the folder name is the same', () => {
    const root = makeTree({ 'app/': '', 'app-two/a.txt': 'x' });
    expect(isInside(join(root, 'app'), join(root, 'app-two/a.txt'))).toBe(false);
  });

  it('is outside if a link leads out of the folder, even if the file is missing', () => {
    const root = makeTree({ 'app/': '', 'secret/a.txt': 'x' });
    symlinkSync('../secret', join(root, 'app/link'));
    expect(isInside(join(root, 'app'), join(root, 'app/link/a.txt'))).toBe(false);
    expect(isInside(join(root, 'app'), join(root, 'app/link/new.txt'))).toBe(false);
  });

  it('is inside if the folder itself is given as a link', () => {
    const root = makeTree({ 'app/a.txt': 'x' });
    symlinkSync('app', join(root, 'alias'));
    expect(isInside(join(root, 'alias'), join(root, 'app/a.txt'))).toBe(true);
    expect(isInside(join(root, 'app'), join(root, 'alias/new.txt'))).toBe(true);
  });

  it('of a removed file stays inside', () => {
    const root = makeTree();
    mkdirSync(join(root, 'app'));
    expect(isInside(join(root, 'app'), join(root, 'app/gone/for/good.txt'))).toBe(true);
  });

  it('is written with forward slashes, and keeps a backslash that is part of a name', () => {
    expect(toSlashes(join('a', 'b c', 'd'))).toBe('a/b c/d');
    expect(toSlashes('a\\b')).toBe('a\\b');
  });
});
