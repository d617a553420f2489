import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeTree } from '../../base/fs/make-tree.js';
import { git } from '../../base/git/git-as-user.js';
import { edit, KINDS, makeSocket, merge, open, read, writeByteName } from './support.js';

/** Opens one workspace per program on a tree, lets each program change its own, and merges one after the other. */
async function isolate(
  kind: (typeof KINDS)[number],
  folder: string,
  ...programs: readonly ((dir: string) => void)[]
) {
  if (kind === 'worktree') git(folder, 'init', '-q', '--template=');
  const stateDir = makeTree();
  const steps = await Promise.all(
    programs.map(() => open({ kind, workspaceDir: folder, stateDir })),
  );
  const outcomes = [];
  for (const [index, step] of steps.entries()) programs[index]?.(step.dir);
  for (const step of steps) outcomes.push(await merge(step));
  return outcomes;
}

/** Replaces a linked folder by a real copy, as `cp -rL link tmp && rm link && mv tmp link` does. */
function replaceLinkByCopy(dir: string, link: string): void {
  cpSync(join(dir, link), join(dir, 'tmp'), { recursive: true, dereference: true });
  rmSync(join(dir, link));
  renameSync(join(dir, 'tmp'), join(dir, link));
}

describe.each(KINDS)('a merge from a %s looks through no link', (kind) => {
  it.each(['inside', 'outside'])(
    'if the step replaces a linked folder by a real copy, target %s (claim: merge-sees-links)',
    async (where) => {
      const files = { 'x.txt': 'one\n', 'sub/y.txt': 'two\n' };
      const folder = makeTree();
      const outside = makeTree();
      edit(where === 'inside' ? join(folder, 'real') : outside, files);
      edit(folder, { link: where === 'inside' ? '-> real' : `-> ${outside}` });
      const [outcome] = await isolate(kind, folder, (dir) => {
        replaceLinkByCopy(dir, 'link');
        edit(dir, { 'link/z.txt': 'three\n' });
      });
      expect(outcome).toMatchObject({ merged: true });
      expect(read(folder)).toEqual({
        ...(where === 'inside' ? { 'real/x.txt': 'one\n', 'real/sub/y.txt': 'two\n' } : {}),
        'link/x.txt': 'one\n',
        'link/sub/y.txt': 'two\n',
        'link/z.txt': 'three\n',
      });
      expect(read(outside)).toEqual(where === 'inside' ? {} : files);
    },
  );

  it('if the files behind the replaced link have other content', async () => {
    const folder = makeTree();
    edit(folder, { 'real/x.txt': 'one\n', link: '-> real' });
    const [outcome] = await isolate(kind, folder, (dir) => {
      edit(dir, { link: null, 'link/x.txt': 'other\n' });
    });
    expect(outcome).toMatchObject({ merged: true });
    expect(read(folder)).toEqual({ 'real/x.txt': 'one\n', 'link/x.txt': 'other\n' });
  });

  it('if the step replaces a folder by a link to a copy of it', async () => {
    const folder = makeTree();
    const outside = makeTree({ 'a/x.txt': 'kept\n', 'empty/': '' });
    edit(folder, { 'a/x.txt': 'x\n', 'b/empty/y.txt': 'y\n', 'c.txt': 'c\n' });
    const [outcome] = await isolate(kind, folder, (dir) => {
      renameSync(join(dir, 'a'), join(dir, 'moved'));
      edit(dir, { a: '-> moved', b: `-> ${outside}` });
    });
    expect(outcome).toMatchObject({ merged: true });
    expect(read(folder)).toEqual({
      'moved/x.txt': 'x\n',
      a: '-> moved',
      b: `-> ${outside}`,
      'c.txt': 'c\n',
    });
    // The merge removes the folders that it has emptied, and none behind the new link.
    expect(existsSync(join(outside, 'empty'))).toBe(true);
  });

  it('if it is undone', async () => {
    const folder = makeTree();
    const before = { 'real/sub/x.txt': 'one\n', link: '-> real', 'dir/y.txt': 'y\n' };
    edit(folder, before);
    if (kind === 'worktree') git(folder, 'init', '-q', '--template=');
    const step = await open({ kind, workspaceDir: folder, stateDir: makeTree() });
    replaceLinkByCopy(step.dir, 'link');
    edit(step.dir, { dir: '-> real' });
    const patchFile = join(makeTree(), 'p');
    const set = await step.collectChanges({ extraPaths: [] });
    expect(await set.mergeBack(patchFile)).toMatchObject({ merged: true });
    expect(read(folder)).toEqual({
      'real/sub/x.txt': 'one\n',
      'link/sub/x.txt': 'one\n',
      dir: '-> real',
    });
    await step.dispose();
    expect(read(folder)).toEqual(before);
  });

  it('if another step has replaced a parent folder by a link', async () => {
    const folder = makeTree();
    const outside = makeTree({ 'x.txt': 'x\n' });
    edit(folder, { 'a/x.txt': 'x\n', 'a/gone.txt': 'g\n', 'c.txt': 'c\n' });
    const outcomes = await isolate(
      kind,
      folder,
      (dir) => edit(dir, { a: `-> ${outside}` }),
      (dir) => edit(dir, { 'a/x.txt': 'changed\n', 'a/gone.txt': null, 'a/new.txt': 'n\n' }),
      (dir) => edit(dir, { a: null }),
    );
    expect(outcomes.map(({ merged }) => merged)).toEqual([true, false, true]);
    expect(read(folder)).toEqual({ a: `-> ${outside}`, 'c.txt': 'c\n' });
    expect(read(outside)).toEqual({ 'x.txt': 'x\n' });
    const conflict = outcomes[1];
    expect(conflict?.merged === false && existsSync(conflict.patchFile)).toBe(true);
  });

  it('that leads in a circle', async () => {
    const folder = makeTree();
    edit(folder, { a: '-> b', b: '-> a', self: '-> self', 'c.txt': 'c\n' });
    const [outcome] = await isolate(kind, folder, (dir) => {
      edit(dir, { a: null, 'a/x.txt': 'x\n', self: null, 'loop/one': '-> ../loop/one' });
    });
    expect(outcome).toMatchObject({ merged: true });
    expect(read(folder)).toEqual({
      b: '-> a',
      'c.txt': 'c\n',
      'a/x.txt': 'x\n',
      'loop/one': '-> ../loop/one',
    });
  });
});

describe.each(KINDS)('a merge from a %s', (kind) => {
  it('is a conflict with a socket or a FIFO that the step could not see (claim: merge-conflict-untouched)', async () => {
    const folder = makeTree({ 'a.txt': 'a\n' });
    await makeSocket(join(folder, 'socket'));
    execFileSync('mkfifo', [join(folder, 'fifo')]);
    const outcomes = await isolate(
      kind,
      folder,
      (dir) => edit(dir, { 'socket/x.txt': 'x\n' }),
      (dir) => edit(dir, { fifo: 'a file\n', 'b.txt': 'b\n' }),
    );
    expect(outcomes).toMatchObject([
      { merged: false, conflicts: [{ path: 'socket', reason: 'occupied' }] },
      { merged: false, conflicts: [{ path: 'fifo', reason: 'occupied' }] },
    ]);
    expect(read(folder)).toEqual({ 'a.txt': 'a\n' });
    expect(statSync(join(folder, 'fifo')).isFIFO()).toBe(true);
  });

  it('says which FIFOs of the step do not come back', async () => {
    const folder = makeTree({ 'a.txt': 'a\n', 'b.txt': 'b\n' });
    const [outcome] = await isolate(kind, folder, (dir) => {
      rmSync(join(dir, 'a.txt'));
      execFileSync('mkfifo', [join(dir, 'a.txt')]);
    });
    expect(outcome).toMatchObject({
      merged: true,
      paths: ['a.txt'],
      notes: ['Entry a.txt is not a file, folder or link and was not merged'],
    });
    expect(read(folder)).toEqual({ 'b.txt': 'b\n' });
  });

  it('keeps names apart that differ by case, and names that are not UTF-8', async () => {
    const folder = makeTree({ 'a.txt': 'a\n', 'dir/x': 'x\n' });
    writeByteName(folder, [0xe4], 'umlaut\n');
    const [outcome] = await isolate(kind, folder, (dir) => {
      renameSync(join(dir, 'a.txt'), join(dir, 'A.txt'));
      renameSync(join(dir, 'dir'), join(dir, 'Dir'));
      rmSync(Buffer.concat([Buffer.from(`${dir}/`), Buffer.from([0xe4])]));
      mkdirSync(Buffer.concat([Buffer.from(`${dir}/`), Buffer.from([0xe4])]));
      writeByteName(dir, [0xe4, 0x2f, 0xff], 'inside\n');
    });
    expect(outcome).toMatchObject({ merged: true });
    expect(read(folder)).toEqual({ 'A.txt': 'a\n', 'Dir/x': 'x\n', '\xe4/\xff': 'inside\n' });
  });

  it('separates hard links that the step has made', async () => {
    const folder = makeTree({ 'a.txt': 'a\n' });
    const [outcome] = await isolate(kind, folder, (dir) => {
      linkSync(join(dir, 'a.txt'), join(dir, 'b.txt'));
      writeFileSync(join(dir, 'b.txt'), 'both\n');
    });
    expect(outcome).toMatchObject({ merged: true });
    expect(read(folder)).toEqual({ 'a.txt': 'both\n', 'b.txt': 'both\n' });
    expect(statSync(join(folder, 'a.txt')).nlink).toBe(1);
  });

  it('gives new files the permissions that the step has given them', async () => {
    const folder = makeTree({ 'a.txt': 'a\n' });
    await isolate(kind, folder, (dir) => {
      edit(dir, { 'secret.txt': 's\n', 'run.sh': '+xr\n' });
      chmodSync(join(dir, 'secret.txt'), 0o600);
    });
    const mode = (path: string): number => statSync(join(folder, path)).mode & 0o777;
    expect([mode('secret.txt'), mode('run.sh')]).toEqual([0o600, 0o755]);
  });
});

describe('a merge from a copy', () => {
  it('merges permissions of both sides', async () => {
    const folder = makeTree({ 'a.txt': 'a\n', 'b.txt': 'b\n', 'c.txt': 'c\n' });
    const mode = (path: string): number => statSync(join(folder, path)).mode & 0o777;
    const outcomes = await isolate(
      'copy',
      folder,
      (dir) => chmodSync(join(dir, 'a.txt'), 0o600),
      (dir) => edit(dir, { 'a.txt': 'changed\n' }),
      (dir) => chmodSync(join(dir, 'a.txt'), 0o640),
    );
    expect(outcomes.map(({ merged }) => merged)).toEqual([true, true, false]);
    expect(read(folder)).toMatchObject({ 'a.txt': 'changed\n' });
    expect(mode('a.txt')).toBe(0o600);
  });
});
