import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeTree } from '../../base/fs/make-tree.js';
import { git } from '../../base/git/git-as-user.js';
import { edit, LINES, makeRepository, read } from '../../batch/isolation/support.js';
import { createShipLab, makeResult, openUntilEnd } from './support.js';

const FILES = { 'a.txt': LINES, 'sub/b.txt': 'b\n', '.gitignore': 'dist\n.env\n' };

describe('applyShipped', () => {
  it('merges with what the folder got meanwhile', async () => {
    const { folder } = makeRepository(FILES);
    const applied = await createShipLab().step(
      folder,
      (dir) => edit(dir, { 'a.txt': `first\n${LINES}`, 'new.txt': 'n\n' }),
      { meanwhile: () => edit(folder, { 'a.txt': `${LINES}last\n` }), files: ['a.txt'] },
    );
    expect(read(folder)['a.txt']).toBe(`first\n${LINES}last\n`);
    expect(applied.files).toMatchObject([{ path: 'a.txt', confirmed: true }]);
    expect([...applied.paths].sort()).toEqual(['a.txt', 'new.txt']);
  });

  it('applies nothing and keeps the patch if both sides have changed a line', async () => {
    const folder = makeTree(FILES);
    const lab = createShipLab();
    const step = lab.step(
      folder,
      (dir) => edit(dir, { 'a.txt': `theirs\n${LINES}`, 'new.txt': 'n\n' }),
      { meanwhile: () => edit(folder, { 'a.txt': `ours\n${LINES}` }), files: ['a.txt'] },
    );
    await expect(step).rejects.toMatchObject({
      code: 'EXPECTATION_FAILED',
      message: expect.stringContaining('a.txt'),
      hint: expect.stringContaining(lab.patchFile),
      missing: [{ kind: 'merge', paths: ['a.txt'] }],
      partial: { text: 'Done.' },
    });
    expect(read(folder)).toEqual({ ...FILES, 'a.txt': `ours\n${LINES}` });
    const other = makeTree(FILES);
    git(other, 'init', '-q');
    git(other, 'apply', lab.patchFile);
    expect(read(other)).toMatchObject({ 'a.txt': `theirs\n${LINES}`, 'new.txt': 'n\n' });
    expect(readdirSync(lab.stateDir).filter((name) => name.startsWith('gemini'))).toEqual([]);
  });

  it('works in a folder of a repository, and brings back changes elsewhere in it', async () => {
    const { folder } = makeRepository(FILES);
    const applied = await createShipLab().step(
      join(folder, 'sub'),
      (dir) => {
        expect(read(dir)).toEqual({ 'b.txt': 'b\n' });
        edit(dir, { 'b.txt': null, '../top.txt': 't\n' });
      },
      { files: ['../top.txt'] },
    );
    expect(read(folder)).toEqual({
      'a.txt': LINES,
      '.gitignore': FILES['.gitignore'],
      'top.txt': 't\n',
    });
    expect(existsSync(join(folder, 'sub'))).toBe(true);
    expect(applied.files).toMatchObject([
      { path: '../top.txt', absolutePath: join(folder, 'top.txt') },
    ]);
  });

  it('takes the objects from the store if the caller has lost its own', async () => {
    const folder = makeTree(FILES);
    const lab = createShipLab();
    await lab.ship(folder);
    edit(folder, { 'a.txt': 'changed\n' });
    await lab.step(folder, (dir) => edit(dir, { 'sub/b.txt': 'step\n' }), {
      meanwhile: () => rmSync(lab.stateDir, { recursive: true }),
    });
    expect(read(folder)).toEqual({ ...FILES, 'a.txt': 'changed\n', 'sub/b.txt': 'step\n' });
  });

  it('leaves an ignored file of the user alone that the step has also written', async () => {
    const folder = makeTree({ ...FILES, 'dist/x.js': 'mine\n' });
    const step = createShipLab().step(folder, (dir) => edit(dir, { 'dist/x.js': 'theirs\n' }), {
      files: ['dist/x.js'],
    });
    await expect(step).rejects.toMatchObject({
      missing: [{ kind: 'merge', paths: ['dist/x.js'] }],
    });
    expect(read(folder)['dist/x.js']).toBe('mine\n');
  });

  it('does not confirm a file of the manifest that is not what the worker says', async () => {
    const folder = makeTree(FILES);
    const lab = createShipLab();
    const shipped = await lab.ship(folder);
    const opened = await lab.open(shipped);
    const absolutePath = join(opened.dir, 'a.txt');
    edit(opened.dir, { 'a.txt': 'changed\n' });
    const changes = await opened.collect({ extraPaths: [absolutePath], files: [absolutePath] });
    await opened.dispose();
    const lie = {
      path: 'a.txt',
      absolutePath,
      kind: 'modified' as const,
      tools: [],
      toolIds: [],
      bytes: 1,
      sha256After: '0'.repeat(64),
      confirmed: true,
      outsideWorkspace: false,
    };
    const applying = lab.apply(folder, shipped, changes, { result: makeResult([lie]) });
    await expect(applying).rejects.toMatchObject({ code: 'EXPECTATION_FAILED' });
    expect(read(folder)).toEqual(FILES);
  });

  it('carries ignored files that `include` names, and no others', async () => {
    const folder = makeTree({
      ...FILES,
      '.env': 'S=1\n',
      'dist/a/x.js': 'x\n',
      'dist/y.js': 'y\n',
    });
    const lab = createShipLab();
    const ship = { include: ['.env', 'dist/**/x.js'] };
    await lab.step(
      folder,
      (dir) => {
        expect(read(dir)).toEqual({ ...FILES, '.env': 'S=1\n', 'dist/a/x.js': 'x\n' });
        edit(dir, { '.env': 'S=2\n' });
      },
      { ship },
    );
    expect(read(folder)).toMatchObject({ '.env': 'S=2\n', 'dist/y.js': 'y\n' });
    await lab.step(folder, (dir) => expect(read(dir)).toEqual(FILES));
    await expect(lab.ship(folder, { include: ['../x'] })).rejects.toMatchObject({
      code: 'INVALID_CONFIG',
    });
  });

  it('leaves out links that lead out of the folder, with a note', async () => {
    const folder = makeTree(FILES);
    edit(folder, { out: '-> /etc', in: '-> sub/b.txt' });
    const lab = createShipLab();
    const shipped = await lab.ship(folder);
    expect(shipped.notes).toEqual([expect.stringContaining('Link out did not travel')]);
    const { warnings } = await lab.step(folder, (dir) => {
      expect(read(dir)).toEqual({ ...FILES, in: '-> sub/b.txt' });
      edit(dir, { 'a.txt': 'x\n' });
    });
    expect(warnings.map(({ message }) => message)).toEqual(shipped.notes);
    expect(read(folder)).toEqual({ ...FILES, in: '-> sub/b.txt', out: '-> /etc', 'a.txt': 'x\n' });
  });

  it('sends the objects through a git remote', async () => {
    const { folder } = makeRepository(FILES);
    const remoteDir = join(makeTree(), 'remote.git');
    mkdirSync(remoteDir);
    git(remoteDir, 'init', '-q', '--bare');
    const remote = `file://${remoteDir}`;
    const lab = createShipLab();
    for (const text of ['one\n', 'two\n']) {
      writeFileSync(join(folder, 'a.txt'), text);
      await lab.step(
        folder,
        (dir) => {
          expect(readFileSync(join(dir, 'a.txt'), 'utf8')).toBe(text);
          edit(dir, { 'sub/b.txt': text });
        },
        { ship: { remote }, open: { remotes: [remote] } },
      );
      expect(read(folder)['sub/b.txt']).toBe(text);
    }
    expect(lab.blobs.written).toBe(0);
    // A coordinator that was killed fetches the changes of a finished step once more, and so does a second caller of the same job.
    const shipped = await lab.ship(folder, { remote });
    const opened = await openUntilEnd(lab, shipped, { remotes: [remote] });
    edit(opened.dir, { 'sub/b.txt': 'three\n' });
    const changes = await opened.collect({ extraPaths: [], files: [] });
    for (let time = 0; time < 2; time++) await lab.apply(folder, shipped, changes);
    expect(read(folder)['sub/b.txt']).toBe('three\n');
    await expect(
      lab.ship(folder, { remote: 'https://me:secret@host/x.git' }),
    ).rejects.toMatchObject({
      code: 'INVALID_CONFIG',
      message: expect.not.stringContaining('secret'),
    });
  });
});
