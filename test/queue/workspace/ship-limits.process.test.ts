import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeTree } from '../../base/fs/make-tree.js';
import { git } from '../../base/git/git-as-user.js';
import { edit, makeRepository, read } from '../../batch/isolation/support.js';
import { createShipLab, openUntilEnd } from './support.js';

const FILES = { 'a.txt': 'a\n' };
/** A file that no compression makes smaller than the limit below. */
const LARGE = { 'large.txt': `${randomBytes(4_000).toString('base64')}\n` };
const FEW_BYTES = { maxChangesBytes: 1_000 };

it.each([
  ['maxFiles', { maxFiles: 1 }, { 'b.txt': 'b\n' }, '--max-files'],
  ['maxFileBytes', { maxFileBytes: 1_000 }, LARGE, '--max-file'],
  ['maxUploadBytes', { maxUploadBytes: 1_000 }, LARGE, '--max-upload'],
])(
  'a workspace above %s is refused before the upload, with the setting that raises it',
  async (name, limits, more, flag) => {
    const lab = createShipLab();
    await expect(lab.ship(makeTree({ ...FILES, ...more }), { limits })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringMatching(new RegExp(`\\d+ .*\`limits\\.${name}\` allows \\d+`)),
      hint: expect.stringContaining(`raise \`limits.${name}\` (\`${flag}\`) on both sides`),
    });
    expect(lab.blobs.written).toBe(0);
  },
);

it('a worker keeps changes above its limit as a patch that the error names, and sends nothing', async () => {
  const folder = makeTree(FILES);
  const lab = createShipLab();
  const kept = join(lab.cacheDir, 'kept');
  const opened = await openUntilEnd(lab, await lab.ship(folder), { limits: FEW_BYTES });
  const { written } = lab.blobs;
  edit(opened.dir, { ...LARGE, 'a.txt': null });
  const error = await opened.collect({ extraPaths: [] }).then(undefined, (it: unknown) => it);
  expect(error).toMatchObject({
    code: 'INVALID_INPUT',
    message: expect.stringContaining('`limits.maxChangesBytes` allows 1000'),
    hint: expect.stringContaining(`on ${hostname()} has the changes, for seven days`),
  });
  expect(lab.blobs.written).toBe(written);
  const [patch = ''] = readdirSync(kept);
  expect(error).toMatchObject({ hint: expect.stringContaining(join(kept, patch)) });
  const other = makeTree(FILES);
  git(other, 'init', '-q');
  git(other, 'apply', join(kept, patch));
  expect(read(other)).toEqual(LARGE);
});

it('a caller applies no changes above its limit, and takes them from the store with a higher one', async () => {
  const folder = makeTree(FILES);
  const lab = createShipLab();
  const shipped = await lab.ship(folder);
  const opened = await openUntilEnd(lab, shipped);
  edit(opened.dir, LARGE);
  const changes = await opened.collect({ extraPaths: [] });
  await expect(lab.apply(folder, shipped, changes, { limits: FEW_BYTES })).rejects.toMatchObject({
    code: 'INVALID_INPUT',
    message: expect.stringContaining('`limits.maxChangesBytes` allows 1000'),
  });
  expect(read(folder)).toEqual(FILES);
  await lab.apply(folder, shipped, changes);
  expect(read(folder)).toEqual({ ...FILES, ...LARGE });
});

it('changes above the limit of the caller stay on the git remote', async () => {
  const { folder } = makeRepository(FILES);
  const remoteDir = makeTree();
  git(remoteDir, 'init', '-q', '--bare');
  const remote = `file://${remoteDir}`;
  const lab = createShipLab();
  const shipped = await lab.ship(folder, { remote });
  const opened = await openUntilEnd(lab, shipped, { remotes: [remote] });
  edit(opened.dir, LARGE);
  const changes = await opened.collect({ extraPaths: [] });
  const refs = () => git(remoteDir, 'for-each-ref', '--format=%(refname)');
  const refused = lab.apply(folder, shipped, changes, { limits: FEW_BYTES });
  await expect(refused).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  expect(refs()).toContain(changes.commit);
  await lab.apply(folder, shipped, changes);
  expect(readFileSync(join(folder, 'large.txt'), 'utf8')).toBe(LARGE['large.txt']);
});

it('submodules and nested repositories stay at home, with a note for each, and stay as they are', async () => {
  const library = makeRepository({ 'lib.txt': 'l\n' }).folder;
  const { folder } = makeRepository(FILES);
  git(folder, '-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', library, 'lib');
  git(folder, 'commit', '-qam', 'submodule');
  const nested = join(folder, 'own');
  git(folder, 'clone', '-q', library, 'own');
  writeFileSync(join(folder, 'lib', 'lib.txt'), 'changed\n');
  const lab = createShipLab();
  const { warnings } = await lab.step(folder, (dir) => {
    expect(Object.keys(read(dir)).sort()).toEqual(['.gitmodules', 'a.txt']);
    edit(dir, { 'a.txt': 'b\n' });
  });
  expect(warnings).toEqual([
    { code: 'NOT_ISOLATED', message: 'Nested repository own did not travel' },
    { code: 'NOT_ISOLATED', message: 'Submodule lib did not travel' },
  ]);
  expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('b\n');
  expect(readFileSync(join(folder, 'lib', 'lib.txt'), 'utf8')).toBe('changed\n');
  expect(git(folder, 'submodule', 'status')).toContain(' lib ');
  expect(git(nested, 'status', '--porcelain')).toBe('');
});
