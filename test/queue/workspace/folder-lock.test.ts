import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { describeProcess } from '../../../src/base/process/process-identity.js';
import { withFolderLock } from '../../../src/queue/workspace/folder-lock.js';
import { makeTree } from '../../base/fs/make-tree.js';

function openLab() {
  const folder = makeTree();
  return { folder, file: join(folder, 'lock') };
}

describe('withFolderLock', () => {
  it('runs one work at a time, and leaves no file behind', async () => {
    const { folder, file } = openLab();
    const order: string[] = [];
    const work = (name: string) => async () => {
      order.push(`${name} begins`);
      await new Promise(setImmediate);
      order.push(`${name} ends`);
      return name;
    };
    const names = await Promise.all([
      withFolderLock(file, work('a')),
      withFolderLock(file, work('b')),
    ]);
    expect(names).toEqual(['a', 'b']);
    expect(order).toEqual(['a begins', 'a ends', 'b begins', 'b ends']);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('is free again after a work that has failed', async () => {
    const { folder, file } = openLab();
    const failing = withFolderLock(file, () => {
      throw new Error('of the work');
    });
    await expect(failing).rejects.toThrow('of the work');
    expect(await withFolderLock(file, () => 7)).toBe(7);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('names its owner in the file', async () => {
    const { file } = openLab();
    await withFolderLock(file, () => {
      expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
        pid: process.pid,
        host: hostname(),
      });
    });
  });

  it('takes the lock over from a process that has died', async () => {
    const { folder, file } = openLab();
    writeFileSync(file, JSON.stringify({ ...describeProcess(), pid: 2 ** 22 + 1 }));
    expect(await withFolderLock(file, () => 'mine')).toBe('mine');
    expect(readdirSync(folder)).toEqual([]);
  });

  it.each(['{"of":"a later version"}', 'torn {'])(
    'takes a lock over that was not renewed for long, although its owner is not known: %s',
    async (content) => {
      const { file } = openLab();
      writeFileSync(file, content);
      const stop = new AbortController();
      const waiting = withFolderLock(file, () => 'mine', stop.signal);
      await new Promise((resolve) => setTimeout(resolve, 30));
      expect(readFileSync(file, 'utf8')).toBe(content);
      const longAgo = new Date(Date.now() - 61_000);
      utimesSync(file, longAgo, longAgo);
      expect(await waiting).toBe('mine');
    },
  );

  it('ends the wait for a living process when the step is cancelled', async () => {
    const { folder, file } = openLab();
    writeFileSync(file, JSON.stringify(describeProcess()));
    await expect(withFolderLock(file, () => 7, AbortSignal.abort())).rejects.toMatchObject({
      code: 'CANCELLED',
      message: expect.stringContaining(file),
    });
    expect(readdirSync(folder)).toEqual(['lock']);
  });

  it('renews the lock of a long work, also when another process has taken it over', async () => {
    const { file } = openLab();
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const isThere: boolean[] = [];
    await withFolderLock(file, async () => {
      const longAgo = new Date(Date.now() - 50_000);
      utimesSync(file, longAgo, longAgo);
      await vi.advanceTimersByTimeAsync(5_000);
      isThere.push(existsSync(file));
      expect(statSync(file).mtimeMs).toBeGreaterThan(longAgo.getTime());
      rmSync(file);
      await vi.advanceTimersByTimeAsync(5_000);
    });
    expect(isThere).toEqual([true]);
    expect(existsSync(file)).toBe(false);
  });

  it('throws when the folder of the lock is missing, or the lock is no file', async () => {
    const { folder, file } = openLab();
    const missing = join(folder, 'missing', 'lock');
    await expect(withFolderLock(missing, () => 7)).rejects.toThrow('ENOENT');
    mkdirSync(file);
    await expect(withFolderLock(file, () => 7)).rejects.toThrow('EISDIR');
    expect(readdirSync(folder)).toEqual(['lock']);
  });
});
