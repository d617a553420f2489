import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { HostedWorkspace } from '../../../../src/batch/isolation/remote/host-methods.js';
import { RemoteChangeSet } from '../../../../src/batch/isolation/remote/remote-change-set.js';
import { makeTree } from '../../../base/fs/make-tree.js';
import { failureOf } from '../../../fixtures/cli/support.js';
import { edit, KINDS, makeRepository, read } from '../support.js';
import { openTestHost } from './hosted.js';

function openLab(kind: (typeof KINDS)[number] = 'copy') {
  const repository = makeRepository({ 'a.txt': 'a\n', 'b.txt': 'b\n' });
  const { folder: workspaceDir, stateDir } = repository;
  const options = { kind, workspaceDir, stateDir, label: 'step' };
  return { ...repository, host: openTestHost(), options, patchFile: join(makeTree(), 'p.patch') };
}

const toDir = ({ folders }: HostedWorkspace): string => folders.dir;

describe.each(KINDS)('a hosted %s', (kind) => {
  it('takes the changes of a step back into the folder', async () => {
    const { folder, host, options, patchFile } = openLab(kind);
    const dir = toDir(await host.call('open', 1, options));
    edit(dir, { 'a.txt': 'changed\n', 'new.txt': 'new\n' });
    const hosted = await host.call('collectChanges', 1, {
      extraPaths: [],
      files: [join(dir, 'a.txt')],
    });
    const changes = new RemoteChangeSet(host, 1, hosted);
    expect(changes.savedId).toBeUndefined();
    expect(changes.targets).toEqual(expect.arrayContaining([join(folder, 'a.txt')]));
    expect(changes.toOriginal(join(dir, 'new.txt'))).toBe(join(folder, 'new.txt'));
    expect(await changes.mergeBack(patchFile)).toMatchObject({
      merged: true,
      paths: ['a.txt', 'new.txt'],
    });
    expect(await changes.compareMerged(join(dir, 'a.txt'))).toBe('same');
    await changes.keepMerge();
    await changes.dispose();
    await changes.dispose();
    expect(host.removed).toEqual([1]);
    expect(existsSync(dir)).toBe(false);
    expect(read(folder)).toEqual({ 'a.txt': 'changed\n', 'b.txt': 'b\n', 'new.txt': 'new\n' });
  });

  it('merges saved changes after the workspace is gone', async () => {
    const { folder, host, options, stateDir, patchFile } = openLab(kind);
    const dir = toDir(await host.call('open', 1, options));
    edit(dir, { 'a.txt': 'changed\n' });
    const saved = await host.call('saveChanges', 1, { extraPaths: [] });
    await host.call('removeFiles', 1);
    await host.call('dispose', 1);
    const request = { stateDir, id: saved.savedId ?? '', workspaceDir: folder, kind };
    const opened = await host.call('openSaved', 2, request);
    if (opened === undefined) expect.unreachable('the changes were saved');
    const changes = new RemoteChangeSet(host, 2, opened);
    expect(await changes.mergeLocked(patchFile)).toMatchObject({ merged: true });
    await changes.keepMerge();
    await changes.dispose();
    await changes.drop();
    expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('changed\n');
    expect(await host.call('openSaved', 3, request)).toBeUndefined();
  });
});

it('keeps the changes of a conflict as a patch, and of a failed step', async () => {
  const { folder, host, options, patchFile } = openLab();
  const dir = toDir(await host.call('open', 1, options));
  edit(dir, { 'a.txt': 'of the step\n' });
  const keep = { extraPaths: [], patchFile };
  expect(await host.call('keepWorkspacePatch', 1, keep)).toBe(patchFile);
  const hosted = await host.call('collectChanges', 1, { extraPaths: [] });
  const changes = new RemoteChangeSet(host, 1, hosted);
  edit(folder, { 'a.txt': 'of the user\n' });
  expect(await changes.mergeBack(patchFile)).toMatchObject({
    merged: false,
    conflicts: [{ path: 'a.txt', reason: 'changed' }],
  });
  expect(readFileSync(patchFile, 'utf8')).toContain('+of the step');
  expect(await changes.keepPatch(join(makeTree(), 'again.patch'))).toMatch(/again\.patch$/);
  await changes.drop();
  await changes.dispose();
  const other = toDir(await host.call('open', 2, options));
  edit(other, { 'b.txt': 'failed\n' });
  expect(await host.call('abandon', 2, keep)).toBe(patchFile);
  expect(existsSync(other)).toBe(false);
  expect(read(folder)).toEqual({ 'a.txt': 'of the user\n', 'b.txt': 'b\n' });
});

it('removes a workspace whose opening was cancelled, before or after its end', async () => {
  const { host, options } = openLab();
  const opening = failureOf(() => host.call('open', 1, options));
  await host.call('cancel', 1);
  expect(await opening).toMatchObject({ code: 'CANCELLED' });
  const dir = toDir(await host.call('open', 2, options));
  await host.call('cancel', 2);
  await host.call('cancel', 2);
  expect(existsSync(dir)).toBe(false);
});

it('ends what is being opened when its caller has gone', async () => {
  const { host, options, stateDir } = openLab();
  const opening = failureOf(() => host.call('open', 1, options));
  await host.host.settle();
  expect(await opening).toMatchObject({ code: 'CANCELLED' });
  await host.host.settle();
  expect(Object.keys(read(stateDir)).filter((name) => name.includes('isolation'))).toEqual([]);
});

it('refuses calls for workspaces and changes that it does not have', async () => {
  const { host, options, stateDir } = openLab();
  await expect(host.call('removeFiles', 7)).rejects.toThrow('The isolated workspace is gone');
  await expect(host.call('dispose', 7)).rejects.toThrow('The isolated workspace is gone');
  await host.call('open', 1, options);
  await expect(host.call('keepMerge', 1)).rejects.toThrow('The changes of the step are gone');
  await host.call('dispose', 1);
  const missing = { ...options, workspaceDir: join(stateDir, 'missing') };
  await expect(host.call('open', 2, missing)).rejects.toThrow();
  await expect(host.call('removeFiles', 2)).rejects.toThrow('The isolated workspace is gone');
  const request = { stateDir, id: 'none', workspaceDir: stateDir, kind: 'copy' as const };
  expect(await host.call('openSaved', 3, request)).toBeUndefined();
});
