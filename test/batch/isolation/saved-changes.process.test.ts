import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openSaved } from '../../../src/batch/isolation/open-saved.js';
import { dropUnusedSaved } from '../../../src/batch/isolation/saved-changes.js';
import { makeTree } from '../../base/fs/make-tree.js';
import { edit, KINDS, LINES, makeRepository, open, read } from './support.js';

const ODD = ['"quoted"', 'two\nlines', 'return\r', 'back\\slash', '"both"\n\r\\'];

describe.each(KINDS)('saved changes of a %s', (kind) => {
  async function save(files: Readonly<Record<string, string>>, edits: Parameters<typeof edit>[1]) {
    const { folder, stateDir, git } = makeRepository(files);
    const workspace = await open({ kind, workspaceDir: folder, stateDir });
    edit(workspace.dir, edits);
    const { savedId: id = '' } = await workspace.saveChanges({ extraPaths: [] });
    await workspace.dispose();
    const request = { stateDir, id, workspaceDir: folder, kind };
    return { folder, stateDir, git, id, request };
  }

  it('are merged after the workspace is gone, whatever the names of the files', async () => {
    const before = Object.fromEntries(ODD.map((name) => [name, `old ${name.length}\n`]));
    const edits = Object.fromEntries(ODD.map((name) => [name, `+xnew ${name.length}\n`]));
    const { folder, request } = await save({ ...before, link: 'x' }, { ...edits, link: '-> a' });
    const set = await openSaved(request);
    expect(await set?.mergeBack('p')).toMatchObject({ merged: true });
    set?.keepMerge();
    expect(read(folder)).toEqual({ ...edits, link: '-> a' });
    await set?.dispose();
  });

  it('notice a link, an execute bit and a file of the user at their paths', async () => {
    for (const change of [
      (folder: string) => edit(folder, { 'a.txt': '-> elsewhere' }),
      (folder: string) => edit(folder, { 'a.txt': 'user\n' }),
      (folder: string) => edit(folder, { 'new.txt': 'user\n' }),
      (folder: string) => edit(folder, { 'a.txt': null }),
      (folder: string) => edit(folder, { 'new.txt/deep': 'x\n' }),
    ]) {
      const edits = { 'a.txt': 'step\n', 'new.txt': 'n\n' };
      const { folder, request } = await save({ 'a.txt': LINES }, edits);
      change(folder);
      const now = read(folder);
      const set = await openSaved(request);
      expect(await set?.mergeBack(join(makeTree(), 'p'))).toMatchObject({ merged: false });
      expect(read(folder)).toEqual(now);
      await set?.dispose();
    }
    const { folder, request } = await save({ 'a.txt': 'a\n' }, { 'a.txt': 'step\n' });
    chmodSync(join(folder, 'a.txt'), 0o755);
    const set = await openSaved(request);
    expect(await set?.mergeBack(join(makeTree(), 'p'))).toMatchObject({ merged: true });
    expect(read(folder)).toEqual({ 'a.txt': '+xstep\n' });
    set?.keepMerge();
    await set?.dispose();
  });

  it('are refused for another folder, another isolation, or another id', async () => {
    const { request } = await save({ 'a.txt': 'a\n' }, { 'a.txt': 'b\n' });
    const other = kind === 'copy' ? 'worktree' : 'copy';
    expect(await openSaved({ ...request, workspaceDir: makeTree() })).toBeUndefined();
    expect(await openSaved({ ...request, kind: other })).toBeUndefined();
    expect(await openSaved({ ...request, id: '0123456789abcdef' })).toBeUndefined();
  });

  it('are refused if a file has become a link or a folder, or cannot be read', async () => {
    const { stateDir, id, request } = await save({ 'a.txt': 'a\n' }, { 'a.txt': 'b\n' });
    const file = join(stateDir, 'saved', id, 'files', 'a.txt');
    renameSync(file, `${file}.away`);
    expect(await openSaved(request)).toBeUndefined();
    symlinkSync('a.txt.away', file);
    expect(await openSaved(request)).toBeUndefined();
    renameSync(file, `${file}.link`);
    mkdirSync(file);
    expect(await openSaved(request)).toBeUndefined();
  });

  it('are refused if a file or the list was changed (claim: saved-changes-checked)', async () => {
    const { stateDir, id, request } = await save({ 'a.txt': 'a\n' }, { 'a.txt': 'b\n' });
    const [file, list] = [join(id, 'files', 'a.txt'), `${id}.json`].map((name) => {
      return join(stateDir, 'saved', name);
    });
    for (const [path = '', content] of [
      [file, 'c\n'],
      [list, readFileSync(list ?? '', 'utf8').replace('a.txt', 'c.txt')],
    ]) {
      const before = readFileSync(path);
      writeFileSync(path, content ?? '');
      expect(await openSaved(request)).toBeUndefined();
      writeFileSync(path, before);
    }
    const set = await openSaved(request);
    expect(set).toBeDefined();
    await set?.dispose();
  });

  it('that no attempt waits with are removed, and other files are left', async () => {
    const { stateDir, id } = await save({ 'a.txt': 'a\n' }, { 'a.txt': 'b\n' });
    const folder = join(stateDir, 'saved');
    for (const name of [`${id}.json.0a.new`, 'mine.txt']) writeFileSync(join(folder, name), '');
    dropUnusedSaved(stateDir, new Set([id]));
    expect(readdirSync(folder).sort()).toEqual([id, `${id}.json`, 'mine.txt'].sort());
    dropUnusedSaved(stateDir, new Set());
    expect(readdirSync(folder)).toEqual(['mine.txt']);
    dropUnusedSaved(makeTree(), new Set());
  });
});

it('saved changes of a worktree are refused if the repository has lost their objects', async () => {
  const { folder, stateDir, git } = makeRepository();
  const workspace = await open({ kind: 'worktree', workspaceDir: folder, stateDir });
  edit(workspace.dir, { 'a.txt': 'b\n' });
  const { savedId: id = '' } = await workspace.saveChanges({ extraPaths: [] });
  await workspace.dispose();
  git('gc', '-q', '--prune=now');
  expect(await openSaved({ stateDir, id, workspaceDir: folder, kind: 'worktree' })).toBeUndefined();
});
