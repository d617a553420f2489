import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeTree } from '../../base/fs/make-tree.js';
import { git } from '../../base/git/git-as-user.js';
import { edit, LINES, read } from '../../batch/isolation/support.js';
import { createShipLab, openUntilEnd } from './support.js';

const FILES = {
  'a.txt': LINES,
  'sub/b.txt': 'b\n',
  'sub/c.txt': 'c\n',
  '.gitignore': 'node_modules\n',
};
const NOTHING = { extraPaths: [] };

describe('openShipped', () => {
  it('gives the agent a repository with one commit, and a private folder with the name of the original', async () => {
    const folder = makeTree(FILES);
    const lab = createShipLab();
    const opened = await openUntilEnd(lab, await lab.ship(folder));
    expect(basename(opened.dir)).toBe(basename(folder));
    expect(git(opened.dir, 'status', '--porcelain')).toBe('');
    expect(git(opened.dir, 'log', '--format=%s').trim()).toBe('State of a workspace');
    expect(statSync(lab.cacheDir).mode & 0o777).toBe(0o700);
    expect(opened.toOriginal(join(opened.dir, 'sub/b.txt'))).toBe(join(folder, 'sub/b.txt'));
    edit(opened.dir, { 'a.txt': 'committed by the agent\n' });
    git(opened.dir, 'add', '-A');
    git(opened.dir, 'commit', '-qm', 'agent');
    expect((await opened.collect(NOTHING)).commit).toMatch(/^[0-9a-f]{40}$/);
  });

  it('reuses the tree of an ended attempt, whatever the step has done to it', async () => {
    const folder = makeTree(FILES);
    const lab = createShipLab();
    const shipped = await lab.ship(folder);
    const dirty = [
      (dir: string) => edit(dir, { 'a.txt': LINES.toUpperCase(), 'sub/b.txt': null, new: 'n\n' }),
      (dir: string) => edit(dir, { '.git': null, 'node_modules/x/.git/HEAD': 'h\n' }),
      (dir: string) => {
        renameSync(join(dir, 'sub'), join(dir, 'moved'));
        symlinkSync('moved', join(dir, 'sub'));
      },
      (dir: string) => {
        renameSync(join(dir, 'sub'), join(dir, '..', 'elsewhere'));
        symlinkSync('../elsewhere', join(dir, 'sub'));
      },
      (dir: string) => chmodSync(join(dir, 'a.txt'), 0o600),
      (dir: string) => chmodSync(join(dir, 'sub'), 0o777),
      (dir: string) => edit(dir, { sub: 'a file\n', 'a.txt': '-> sub' }),
      (dir: string) => execFileSync('mkfifo', [join(dir, 'fifo')]),
    ];
    for (const change of dirty) {
      const opened = await lab.open(shipped);
      expect(read(opened.dir)).toEqual(read(folder));
      expect(statSync(join(opened.dir, 'sub')).mode).toBe(statSync(join(opened.tree, '..')).mode);
      expect(git(opened.dir, 'status', '--porcelain', '--ignored')).toBe('');
      change(opened.dir);
      await opened.collect(NOTHING);
      await opened.dispose();
    }
    const last = await openUntilEnd(lab, shipped);
    expect(read(last.dir)).toEqual(read(folder));
    expect(readdirSync(join(lab.cacheDir, 'attempts'))).toHaveLength(1);
  });

  it('does not write files again that no step has touched', async () => {
    const folder = makeTree(FILES);
    const lab = createShipLab();
    const first = await lab.open(await lab.ship(folder));
    const inode = statSync(join(first.dir, 'sub/b.txt')).ino;
    await first.collect(NOTHING);
    await first.dispose();
    edit(folder, { 'a.txt': 'changed\n' });
    const second = await openUntilEnd(lab, await lab.ship(folder));
    expect(read(second.dir)).toEqual(read(folder));
    expect(statSync(join(second.dir, 'sub/b.txt')).ino).toBe(inode);
  });

  it('removes the tree of a step that was not collected', async () => {
    const lab = createShipLab();
    const opened = await lab.open(await lab.ship(makeTree(FILES)));
    await opened.dispose();
    expect(readdirSync(join(lab.cacheDir, 'attempts'))).toEqual([]);
    expect(readdirSync(join(lab.cacheDir, 'spares'))).toEqual([]);
  });

  it('takes a base from the store once, also for attempts that begin at the same time', async () => {
    const lab = createShipLab();
    const shipped = await lab.ship(makeTree(FILES));
    let reads = 0;
    const blobs = {
      ...lab.blobs,
      get: (key: string) => {
        reads++;
        return lab.blobs.get(key);
      },
    };
    const opened = await Promise.all([1, 2, 3].map(() => openUntilEnd(lab, shipped, { blobs })));
    expect(new Set(opened.map(({ dir }) => dir)).size).toBe(3);
    expect(reads).toBe(2);
  });

  it('removes what a dead worker has left, and nothing of a living one', async () => {
    const lab = createShipLab();
    const shipped = await lab.ship(makeTree(FILES));
    const alive = await openUntilEnd(lab, shipped);
    const dead = join(lab.cacheDir, 'attempts', 'gemini-cli-provider-0123456789abcdef');
    mkdirSync(join(dead, 'tree'), { recursive: true });
    writeFileSync(join(dead, 'owner'), '0123456789abcdef');
    const record = JSON.parse(readFileSync(join(alive.tree, '..', '..', 'attempt.json'), 'utf8'));
    record.owner.startTime = 1;
    record.owner.id = 'another';
    writeFileSync(join(dead, 'attempt.json'), JSON.stringify(record));
    await openUntilEnd(lab, shipped);
    expect(existsSync(dead)).toBe(false);
    expect(existsSync(alive.dir)).toBe(true);
  });

  it('keeps the cache below its size, and never removes a base in use', async () => {
    const lab = createShipLab();
    const [one, two, three] = await Promise.all(
      ['1', '2', '3'].map((text) => lab.ship(makeTree({ 'a.txt': text }))),
    );
    if (!one || !two || !three) throw new Error('not shipped');
    const used = await openUntilEnd(lab, one, { cacheBytes: 1 });
    const ended = await lab.open(two, { cacheBytes: 1 });
    await ended.dispose();
    await openUntilEnd(lab, three, { cacheBytes: 1 });
    const bases = readdirSync(join(lab.cacheDir, 'bases'));
    expect(bases.sort()).toEqual([one.base.commit, three.base.commit].sort());
    expect(git(used.dir, 'show', 'HEAD:a.txt')).toBe('1');
  });

  it('refuses a cache folder that others can write to (claim: queue-cache-private)', async () => {
    const lab = createShipLab();
    mkdirSync(lab.cacheDir);
    chmodSync(lab.cacheDir, 0o777);
    const opening = lab.open(await lab.ship(makeTree(FILES)));
    await expect(opening).rejects.toMatchObject({ code: 'INVALID_CONFIG' });
  });
});
