import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkChanges, TreeChangedError } from '../../../src/batch/isolation/check-changes.js';
import { readStats, toFileIdentity } from '../../../src/batch/isolation/file-identity.js';
import { makeTree } from '../../base/fs/make-tree.js';
import { edit, makeSocket } from './support.js';

function check(
  files: Readonly<Record<string, string>>,
  paths: readonly string[],
  removed: readonly string[] = [],
) {
  const [root, sources] = [makeTree(), makeTree()];
  edit(root, files);
  edit(sources, Object.fromEntries(paths.map((path) => [path, 'new\n'])));
  const changes = [
    ...paths.map((path) => ({ path, source: Buffer.from(join(sources, path)), isNew: true })),
    ...removed.map((path) => ({ path, isNew: false })),
  ];
  const { changes: checked, occupied } = checkChanges(root, changes);
  return { paths: checked.map(({ path }) => path), occupied };
}

describe('the check before a merge', () => {
  it('reports a new file that already exists with other content as occupied', () => {
    expect(check({ 'a.txt': 'other\n' }, ['a.txt', 'b.txt']).occupied).toEqual(['a.txt']);
  });

  it('skips a new file that already exists with the same content', () => {
    expect(check({ 'a.txt': 'new\n' }, ['a.txt'])).toEqual({ paths: [], occupied: [] });
  });

  it('reports a file or link where a folder is needed as occupied', () => {
    expect(check({ a: 'x', b: '-> /tmp' }, ['a/x', 'b/x', 'c/x']).occupied).toEqual(['a', 'b']);
  });

  it('reports a folder where a file is needed as occupied, unless the merge empties it', () => {
    const files = { 'a/b/c': 'c', 'a/d': 'd' };
    expect(check(files, ['a'], ['a/d']).occupied).toEqual(['a']);
    expect(check(files, ['a'], ['a/d', 'a/b/c']).occupied).toEqual([]);
  });

  it('skips files to remove that no longer exist', () => {
    const { paths, occupied } = check({ a: 'x' }, [], ['gone', 'a/below', 'gone/too']);
    expect({ paths, occupied }).toEqual({ paths: [], occupied: [] });
  });

  it('reports a socket as occupied', async () => {
    const root = makeTree();
    await makeSocket(join(root, 'socket'));
    const source = Buffer.from(join(makeTree({ x: 'x' }), 'x'));
    const changes = [{ path: 'socket', source, isNew: false }];
    expect(checkChanges(root, changes).occupied).toEqual(['socket']);
  });

  it('throws if a file has changed since the merge was planned', () => {
    const root = makeTree({ 'a.txt': 'a\n', 'b.txt': 'b\n' });
    const stats = readStats(join(root, 'b.txt'));
    const expected = stats && toFileIdentity(stats);
    expect(() => checkChanges(root, [{ path: 'a.txt', isNew: false, expected }])).toThrow(
      TreeChangedError,
    );
  });
});
