import { execFileSync } from 'node:child_process';
import { chmodSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ChangeSet } from '../../../src/batch/isolation/isolated-workspace.js';
import { mergeTogether } from '../../../src/batch/isolation/merge-together.js';
import { makeTree } from '../../base/fs/make-tree.js';
import { edit, LINES, makeRepository, openWorktree, read, withPath } from './support.js';

/** Most git processes that one merge may start, whatever it has to do. */
const MOST_CALLS = 6;

/** Puts a program in front of git that writes down each call. Returns a function that counts the calls of a task. */
function countGitCalls() {
  const real = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
  const folder = makeTree({ calls: '' });
  const log = join(folder, 'calls');
  writeFileSync(join(folder, 'git'), `#!/bin/sh\necho " $* " >> '${log}'\nexec '${real}' "$@"\n`);
  chmodSync(join(folder, 'git'), 0o755);
  withPath(`${folder}${delimiter}${process.env['PATH'] ?? ''}`);
  return async <Result>(task: () => Promise<Result>) => {
    writeFileSync(log, '');
    const result = await task();
    const commands = readFileSync(log, 'utf8');
    return { result, commands, calls: commands.split('\n').length - 1 };
  };
}

const FILES = { 'a.txt': LINES, 'b.txt': 'b\n', 'c.txt': LINES.repeat(4), 'd.txt': 'd\n' };

async function prepare(edits: Parameters<typeof edit>[1]) {
  const repository = makeRepository(FILES);
  const count = countGitCalls();
  const { result: workspace, calls: opening } = await count(() => openWorktree(repository));
  edit(workspace.dir, edits);
  const saved = await count(() => workspace.saveChanges({ extraPaths: [] }));
  const merge = () => count(() => saved.result.mergeBack(join(makeTree(), 'p')));
  return { repository, opening, saving: saved.calls, merge };
}

describe('the git calls of a worktree', () => {
  it('are bounded for opening and saving, and one for a merge without changes of others', async () => {
    const { repository, opening, saving, merge } = await prepare({
      'a.txt': 'changed\n',
      'b.txt': null,
      'new.txt': 'n\n',
    });
    edit(repository.folder, { 'c.txt': 'user\n' });
    const { result, calls } = await merge();
    expect(result.merged).toBe(true);
    expect(opening).toBeLessThanOrEqual(10);
    expect(saving).toBeLessThanOrEqual(4);
    expect(calls).toBe(1);
  });

  it('are at most nine for each further worktree, and none of them changes the list of worktrees', async () => {
    const repository = makeRepository(FILES);
    const count = countGitCalls();
    await openWorktree(repository);
    expect(await count(() => openWorktree(repository))).toMatchObject({ calls: 7 });
    edit(repository.folder, { 'a.txt': 'changed\n', 'new.txt': 'n\n' });
    const { calls, commands } = await count(() => openWorktree(repository));
    expect(calls).toBe(9);
    expect(commands).not.toMatch(/ worktree | update-ref /);
  });

  it.each([
    { names: 'all changes', extraPaths: ['a.txt', 'b.txt', 'new.txt'], most: 4 },
    { names: 'a part of the changes', extraPaths: ['a.txt'], most: 7 },
    {
      names: 'a file that has not changed',
      extraPaths: ['a.txt', 'b.txt', 'new.txt', 'd.txt'],
      most: 8,
    },
    { names: 'a file that does not exist', extraPaths: ['a.txt', 'none.txt'], most: 8 },
  ])('are at most $most for a save if the manifest names $names', async ({ extraPaths, most }) => {
    const repository = makeRepository(FILES);
    const workspace = await openWorktree(repository);
    edit(workspace.dir, { 'a.txt': `first\n${LINES}`, 'b.txt': null, 'new.txt': 'n\n' });
    const count = countGitCalls();
    const { result: saved, calls } = await count(() => workspace.saveChanges({ extraPaths }));
    expect(calls).toBeLessThanOrEqual(most);
    edit(repository.folder, { 'a.txt': `${LINES}last\n` });
    expect((await saved.mergeBack(join(makeTree(), 'p'))).merged).toBe(true);
    saved.keepMerge();
    expect(read(repository.folder)).toEqual({
      'a.txt': `first\n${LINES}last\n`,
      'c.txt': FILES['c.txt'],
      'd.txt': 'd\n',
      'new.txt': 'n\n',
    });
  });

  it('are none for a merge of new files only', async () => {
    const { merge } = await prepare({ 'new.txt': 'n\n', 'more/new.txt': 'n\n', 'a.txt': LINES });
    expect(await merge()).toMatchObject({ calls: 0, result: { merged: true } });
  });

  it('are at most six for a three-way merge of several files', async () => {
    const { repository, merge } = await prepare({
      'a.txt': LINES.replace('one', 'ONE'),
      'c.txt': LINES.repeat(4).replace('one', 'ONE'),
      'b.txt': null,
    });
    edit(repository.folder, {
      'a.txt': LINES.replace('seven', 'SEVEN'),
      'c.txt': `${LINES.repeat(4)}end\n`,
    });
    const { result, calls } = await merge();
    expect(result).toMatchObject({ merged: true, paths: ['a.txt', 'b.txt', 'c.txt'] });
    expect(calls).toBeLessThanOrEqual(MOST_CALLS);
    expect(read(repository.folder)).toEqual({
      'a.txt': LINES.replace('one', 'ONE').replace('seven', 'SEVEN'),
      'c.txt': `${LINES.repeat(4).replace('one', 'ONE')}end\n`,
      'd.txt': 'd\n',
    });
  });

  it('are at most six if the user has renamed a file', async () => {
    const { repository, merge } = await prepare({
      'a.txt': 'changed\n',
      'c.txt': `first\n${LINES.repeat(4)}`,
    });
    renameSync(join(repository.folder, 'c.txt'), join(repository.folder, 'moved.txt'));
    const { result, calls } = await merge();
    expect(result).toMatchObject({ merged: true, paths: ['a.txt', 'moved.txt'] });
    expect(calls).toBeLessThanOrEqual(MOST_CALLS);
  });

  it('are at most six for a conflict, with the call that writes the patch', async () => {
    const { repository, merge } = await prepare({ 'a.txt': LINES.replace('one', 'ONE') });
    edit(repository.folder, { 'a.txt': LINES.replace('one', 'first') });
    const { result, calls } = await merge();
    expect(result.merged).toBe(false);
    expect(calls).toBeLessThanOrEqual(MOST_CALLS);
  });

  it('are one for a group of steps with disjoint paths', async () => {
    const repository = makeRepository(FILES);
    const sets: ChangeSet[] = [];
    for (const path of Object.keys(FILES)) {
      const workspace = await openWorktree(repository);
      edit(workspace.dir, { [path]: `by a step\n`, [`new-${path}`]: 'n\n' });
      sets.push(await workspace.saveChanges({ extraPaths: [] }));
    }
    const count = countGitCalls();
    const patchFile = join(makeTree(), 'p');
    const requests = sets.map((changes) => ({ changes, patchFile }));
    const { result, calls } = await count(() => mergeTogether(requests));
    expect(result).toMatchObject(
      sets.map(() => ({ status: 'fulfilled', value: { merged: true } })),
    );
    expect(calls).toBe(1);
    expect(Object.keys(read(repository.folder))).toHaveLength(8);
    for (const set of sets) set.keepMerge();
  });

  it('of a group do not hide that a file was changed or renamed by the user', async () => {
    const repository = makeRepository(FILES);
    const sets: ChangeSet[] = [];
    for (const path of ['a.txt', 'b.txt', 'c.txt'] as const) {
      const workspace = await openWorktree(repository);
      edit(workspace.dir, { [path]: `first\n${FILES[path]}` });
      sets.push(await workspace.saveChanges({ extraPaths: [] }));
    }
    edit(repository.folder, { 'a.txt': `${LINES}last\n` });
    renameSync(join(repository.folder, 'c.txt'), join(repository.folder, 'moved.txt'));
    const patchFile = join(makeTree(), 'p');
    await mergeTogether(sets.map((changes) => ({ changes, patchFile })));
    for (const set of sets) set.keepMerge();
    expect(read(repository.folder)).toEqual({
      'a.txt': `first\n${LINES}last\n`,
      'b.txt': 'first\nb\n',
      'd.txt': 'd\n',
      'moved.txt': `first\n${LINES.repeat(4)}`,
    });
  });
});
