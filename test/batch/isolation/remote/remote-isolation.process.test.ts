import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { IsolationOptions } from '../../../../src/batch/isolation/isolated-workspace.js';
import { openIsolation } from '../../../../src/batch/isolation/open-isolation.js';
import { openSaved } from '../../../../src/batch/isolation/open-saved.js';
import {
  mergeRemote,
  RemoteChangeSet,
} from '../../../../src/batch/isolation/remote/remote-change-set.js';
import { RemoteIsolation } from '../../../../src/batch/isolation/remote/remote-isolation.js';
import { openStateKey } from '../../../../src/batch/state/state-key.js';
import { makeTree } from '../../../base/fs/make-tree.js';
import { mountRemotely } from '../../../base/fs/mount-remotely.js';
import { failureOf } from '../../../fixtures/cli/support.js';
import { edit, makeRepository, read } from '../support.js';

function openLab() {
  const { folder, stateDir } = makeRepository({ 'a.txt': 'a\n', 'b.txt': 'b\n' });
  mountRemotely(folder);
  // Both processes sign what is saved with the key of the state folder.
  openStateKey(stateDir);
  const options: IsolationOptions = {
    kind: 'copy',
    workspaceDir: folder,
    stateDir,
    label: 'step',
  };
  return { folder, stateDir, options, patchFile: join(makeTree(), 'kept.patch') };
}

it('a folder on a local disk has no process of its own, and those of one mount share one', () => {
  const [folder, other] = [makeTree({ 'sub/x': '' }), makeTree()];
  mountRemotely(folder);
  expect(RemoteIsolation.for(other)).toBeUndefined();
  const shared = RemoteIsolation.for(folder);
  expect(shared).toBeInstanceOf(RemoteIsolation);
  expect(RemoteIsolation.for(join(folder, 'sub'))).toBe(shared);
  shared?.remove(0);
  const next = RemoteIsolation.for(folder);
  expect(next).not.toBe(shared);
  next?.remove(0);
});

it('merges the changes of steps on a remote file system in another process', async () => {
  const { folder, options, patchFile } = openLab();
  const [one, two] = await Promise.all([openIsolation(options), openIsolation(options)]);
  expect([one.isRemote, one.kind]).toEqual([true, 'copy']);
  expect(one.toOriginal(join(one.dir, 'a.txt'))).toBe(join(folder, 'a.txt'));
  expect(one.toIsolated('a.txt')).toBe(join(one.dir, 'a.txt'));
  edit(one.dir, { 'a.txt': 'of the first\n' });
  edit(two.dir, { 'b.txt': 'of the second\n' });
  const changes = [
    await one.collectChanges({ extraPaths: [], files: [join(one.dir, 'a.txt')] }),
    await two.collectChanges({ extraPaths: [] }),
  ].map((set) => {
    if (set instanceof RemoteChangeSet) return { changes: set, patchFile };
    return expect.unreachable('the file system is remote');
  });
  const ends = await mergeRemote(changes);
  expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled']);
  for (const { changes: set } of changes) await set.keepMerge();
  expect(read(folder)).toEqual({ 'a.txt': 'of the first\n', 'b.txt': 'of the second\n' });
  for (const { changes: set } of changes) await set.dispose();
  expect(existsSync(one.dir)).toBe(false);
});

it('merges what an earlier run has saved, and keeps the patch of a failed step', async () => {
  const { folder, stateDir, options, patchFile } = openLab();
  const workspace = await openIsolation(options);
  edit(workspace.dir, { 'a.txt': 'changed\n' });
  const keep = { extraPaths: [], patchFile };
  expect(await workspace.keepPatch(keep)).toBe(patchFile);
  const { savedId: id = '' } = await workspace.saveChanges({ extraPaths: [] });
  await workspace.removeFiles();
  await workspace.dispose();
  const request = { stateDir, id, workspaceDir: folder, kind: 'copy' as const };
  const saved = await openSaved(request);
  expect(await saved?.mergeBack(patchFile)).toMatchObject({ merged: true, paths: ['a.txt'] });
  await saved?.keepMerge();
  await saved?.drop();
  await saved?.dispose();
  expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('changed\n');
  expect(await openSaved(request)).toBeUndefined();
  const failed = await openIsolation(options);
  edit(failed.dir, { 'b.txt': 'of a failed step\n' });
  expect(await failed.abandon(keep)).toBe(patchFile);
  expect(readFileSync(patchFile, 'utf8')).toContain('+of a failed step');
  expect(existsSync(failed.dir)).toBe(false);
});

it('throws the error of the other process with its code, and opens the next workspace all the same', async () => {
  const { folder, options } = openLab();
  const missing = { ...options, workspaceDir: join(folder, 'missing') };
  await expect(openIsolation(missing)).rejects.toThrow();
  const workspace = await openIsolation(options);
  await workspace.dispose();
  await expect(workspace.removeFiles()).rejects.toMatchObject({ code: 'INCOMPLETE' });
});

it('does not wait for a workspace whose opening is cancelled', async () => {
  const { options } = openLab();
  const stop = new AbortController();
  const opening = failureOf(() => openIsolation({ ...options, signal: stop.signal }));
  stop.abort();
  expect(await opening).toMatchObject({ code: 'CANCELLED' });
});
