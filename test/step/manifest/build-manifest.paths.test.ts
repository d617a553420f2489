import { symlinkSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fileStateOf, sha256 } from '../../../src/base/fs/fingerprint.js';
import { addFiles, makeFolder } from '../../fixtures/cli/support.js';
import { buildInFolder, writeCall } from './build-in-folder.js';

describe('the path of a file', () => {
  it('is outside the workspace if its target is, with symlinks resolved', async () => {
    const [folder, outside, included] = [
      makeFolder(),
      makeFolder({ a: 'x' }),
      makeFolder({ b: 'x' }),
    ];
    symlinkSync(outside, join(folder, 'link'));
    const paths = [join(outside, 'a'), join(included, 'b'), join(folder, 'link/new')];
    addFiles(outside, { new: 'x' });
    const toolCalls = paths.map((path, index) => writeCall(String(index), path, 'x'));
    const workspaceDirs = [folder, included];
    const { files, warnings } = await buildInFolder(folder, { toolCalls, workspaceDirs });
    const outsiders = files.filter(({ outsideWorkspace }) => outsideWorkspace);
    expect(outsiders.map(({ absolutePath }) => absolutePath).sort()).toEqual(
      [join(folder, 'link/new'), join(outside, 'a')].sort(),
    );
    expect(warnings.map(({ code }) => code)).toEqual(Array(2).fill('FILE_OUTSIDE_WORKSPACE'));
    expect(files.find(({ absolutePath }) => absolutePath === paths[1])?.path).toMatch(
      /^\.\.\/.*\/b$/,
    );
  });

  it('is that of the symlink, and the entry has the target of the symlink', async () => {
    const folder = makeFolder({ 'real.txt': 'x' });
    symlinkSync('real.txt', join(folder, 'link.txt'));
    const changes = [{ path: join(folder, 'real.txt'), before: fileStateOf(Buffer.from('old')) }];
    const { files } = await buildInFolder(folder, {
      toolCalls: [writeCall('1', 'link.txt', 'x')],
      changes,
    });
    expect(files).toMatchObject([
      {
        path: 'link.txt',
        kind: 'modified',
        symlinkTarget: join(folder, 'real.txt'),
        sha256Before: sha256('old'),
        sha256After: sha256('x'),
      },
    ]);
  });

  it('is relative to a working directory that is itself a symlink', async () => {
    const folder = makeFolder({ 'real/a.txt': 'x', 'real/b.txt': 'x' });
    symlinkSync('real', join(folder, 'link'));
    const workingDir = join(folder, 'link');
    const toolCalls = [
      writeCall('1', join(folder, 'real/a.txt'), 'x'),
      writeCall('2', 'b.txt', 'x'),
    ];
    const { files } = await buildInFolder(folder, {
      workingDir,
      workspaceDirs: [workingDir],
      toolCalls,
    });
    expect(files).toMatchObject([
      { path: 'a.txt', outsideWorkspace: false },
      { path: 'b.txt', outsideWorkspace: false },
    ]);
  });

  it('determines the order of the manifest', async () => {
    const folder = makeFolder({ b: 'x', a: 'x', 'sub/c': 'x' });
    const changes = ['sub/c', 'b', 'a'].map((name) => ({ path: join(folder, name), before: null }));
    unlinkSync(join(folder, 'b'));
    const { files } = await buildInFolder(folder, { changes });
    expect(files.map(({ path, kind }) => `${path} ${kind}`)).toEqual([
      'a created',
      'b unchanged',
      'sub/c created',
    ]);
  });
});

describe('a new symlink', () => {
  it('is in the folder that contains it, not at its target', async () => {
    const [folder, outside] = [makeFolder(), makeFolder({ 'far.txt': 'x' })];
    const path = join(folder, 'out');
    symlinkSync(join(outside, 'far.txt'), path);
    const { files, warnings } = await buildInFolder(folder, { changes: [{ path, before: null }] });
    expect(files).toMatchObject([
      {
        path: 'out',
        kind: 'created',
        outsideWorkspace: false,
        symlinkTarget: join(outside, 'far.txt'),
      },
    ]);
    expect(warnings).toEqual([]);
  });

  it('is outside the workspace if a tool wrote through it to a target outside', async () => {
    const [folder, outside] = [makeFolder(), makeFolder({ 'far.txt': 'x' })];
    symlinkSync(join(outside, 'far.txt'), join(folder, 'out'));
    const { files, warnings } = await buildInFolder(folder, {
      toolCalls: [writeCall('1', 'out', 'x')],
    });
    expect(files).toMatchObject([{ path: 'out', outsideWorkspace: true }]);
    expect(warnings).toMatchObject([{ code: 'FILE_OUTSIDE_WORKSPACE' }]);
  });
});

describe('a path that could not be compared', () => {
  it('is a warning and not a file of the manifest', async () => {
    const folder = makeFolder();
    const path = join(folder, 'bad\ufffd');
    const changes = [{ path, before: undefined, obstacle: 'name' }] as const;
    const { files, warnings } = await buildInFolder(folder, { changes });
    expect(files).toEqual([]);
    expect(warnings).toMatchObject([{ code: 'WORKSPACE_NOT_COMPARED', count: 1 }]);
  });
});
