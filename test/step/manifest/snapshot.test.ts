import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { takeSnapshot } from '../../../src/step/manifest/snapshot.js';
import { git } from '../../base/git/git-as-user.js';
import { addFiles, makeFolder } from '../../fixtures/cli/support.js';

function makeRepository(): string {
  const folder = makeFolder({ 'a.txt': 'one\n' });
  git(folder, 'init', '-q');
  git(folder, 'add', '-A');
  git(folder, 'commit', '-qm', 'x');
  return folder;
}

describe('the snapshot of a workspace', () => {
  it('covers all workspace folders and each file once', async () => {
    const [one, two] = [makeFolder({ 'sub/a.txt': '' }), makeFolder()];
    const workspaceDirs = [one, join(one, 'sub'), two, two];
    const snapshot = await takeSnapshot({ workspaceDirs, excludedDirs: [], mayAskGit: true });
    addFiles(one, { 'sub/b.txt': '' });
    addFiles(two, { 'c.txt': '' });
    expect((await snapshot.changes()).map(({ path }) => path)).toEqual([
      join(one, 'sub/b.txt'),
      join(two, 'c.txt'),
    ]);
  });

  it.each([
    ['a folder', () => makeFolder({ 'a.txt': '' })],
    ['a repository', makeRepository],
  ])('stops after an abort (%s)', async (_what, make) => {
    const request = { workspaceDirs: [make()], excludedDirs: [], mayAskGit: true };
    const signal = AbortSignal.abort('enough');
    await expect(takeSnapshot({ ...request, signal })).rejects.toBe('enough');
  });

  it('is compared although the step was aborted', async () => {
    const cancel = new AbortController();
    const folder = makeRepository();
    const request = { workspaceDirs: [folder], excludedDirs: [], mayAskGit: true };
    const snapshot = await takeSnapshot({ ...request, signal: cancel.signal });
    addFiles(folder, { 'b.txt': '' });
    cancel.abort();
    expect(await snapshot.changes()).toEqual([{ path: join(folder, 'b.txt'), before: null }]);
  });

  it('leaves out excluded folders', async () => {
    const folder = makeFolder();
    const excludedDirs = [join(folder, '.gemini')];
    const snapshot = await takeSnapshot({ workspaceDirs: [folder], excludedDirs, mayAskGit: true });
    addFiles(folder, { '.gemini/tmp/chat.json': '', '.gemini-not': '' });
    expect(await snapshot.changes()).toEqual([{ path: join(folder, '.gemini-not'), before: null }]);
  });

  it.each([
    [true, Buffer.from('one\n')],
    // Without git, the snapshot has size, times and hash but no content.
    [false, undefined],
  ])('uses git if allowed (%s)', async (mayAskGit, content) => {
    const folder = makeRepository();
    const snapshot = await takeSnapshot({ workspaceDirs: [folder], excludedDirs: [], mayAskGit });
    addFiles(folder, { 'a.txt': 'two\n' });
    const [change, ...more] = await snapshot.changes();
    expect(change).toMatchObject({ path: join(folder, 'a.txt'), before: { bytes: 4 } });
    expect(change?.before?.content).toEqual(content);
    expect(more).toEqual([]);
  });

  it('is compared without git if the repository is broken', async () => {
    const folder = makeFolder({ '.git/HEAD': 'nonsense', 'a.txt': 'one' });
    const snapshot = await takeSnapshot({
      workspaceDirs: [folder],
      excludedDirs: [],
      mayAskGit: true,
    });
    addFiles(folder, { 'a.txt': 'two' });
    expect((await snapshot.changes()).map(({ path }) => path)).toEqual([join(folder, 'a.txt')]);
  });
});
