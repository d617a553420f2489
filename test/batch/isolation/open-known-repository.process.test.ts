import { mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openKnownRepository } from '../../../src/batch/isolation/open-known-repository.js';
import { makeTree } from '../../base/fs/make-tree.js';
import { git } from '../../base/git/git-as-user.js';
import { makeRepository } from './support.js';

describe('a known repository', () => {
  it('is not read again', async () => {
    const { folder } = makeRepository();
    const first = await openKnownRepository(folder);
    expect(await openKnownRepository(folder)).toBe(first);
  });

  it('is read again after its settings have changed', async () => {
    const { folder, git: own } = makeRepository();
    expect(await openKnownRepository(folder)).toMatchObject({ trustModes: true });
    own('config', 'core.fileMode', 'false');
    expect(await openKnownRepository(folder)).toMatchObject({ trustModes: false });
  });

  it('is read again after another one was created or put in its place', async () => {
    const { folder } = makeRepository();
    const inside = join(folder, 'inside');
    mkdirSync(inside);
    expect(await openKnownRepository(inside)).toMatchObject({ top: folder, prefix: 'inside' });
    git(inside, 'init', '-q');
    expect(await openKnownRepository(inside)).toMatchObject({ top: inside, prefix: '' });
    renameSync(join(inside, '.git'), join(makeTree(), 'old'));
    expect(await openKnownRepository(inside)).toMatchObject({ top: folder, prefix: 'inside' });
    renameSync(join(folder, '.git'), join(makeTree(), 'old'));
    await expect(openKnownRepository(inside)).rejects.toMatchObject({ code: 'INVALID_CONFIG' });
  });

  it('is forgotten after many others', async () => {
    const { folder } = makeRepository();
    const folders = Array.from({ length: 33 }, (_, index) => join(folder, `f${index}`));
    for (const at of folders) mkdirSync(at);
    const [first = ''] = folders;
    const known = await openKnownRepository(first);
    for (const at of folders.slice(1)) await openKnownRepository(at);
    const again = await openKnownRepository(first);
    expect(again).toEqual(known);
    expect(again).not.toBe(known);
  });
});
