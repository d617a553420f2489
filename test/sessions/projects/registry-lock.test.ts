import { existsSync, mkdirSync, rmdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { withRegistryLock } from '../../../src/sessions/projects/registry-lock.js';
import { makeTree } from '../../base/fs/make-tree.js';

function open() {
  const file = join(makeTree({ 'projects.json': '{}' }), 'projects.json');
  return { file, lock: `${file}.lock` };
}

describe('the lock of the registry', () => {
  it('exists while the work is done, and is removed after it', async () => {
    const { file, lock } = open();
    const result = await withRegistryLock(file, 0, (isHeld) => [existsSync(lock), isHeld()]);
    expect(result).toEqual([true, true]);
    expect(existsSync(lock)).toBe(false);
  });

  it('is removed if the work throws', async () => {
    const { file, lock } = open();
    const broken = withRegistryLock(file, 0, () => {
      throw new Error('broken');
    });
    await expect(broken).rejects.toThrow('broken');
    expect(existsSync(lock)).toBe(false);
  });

  it('is waited for', async () => {
    const { file, lock } = open();
    mkdirSync(lock);
    const waiting = withRegistryLock(file, 60_000, () => 'done');
    setTimeout(() => rmdirSync(lock), 60);
    expect(await waiting).toBe('done');
  });

  it('of another process is respected, also if that process has died', async () => {
    const { file, lock } = open();
    mkdirSync(lock);
    expect(await withRegistryLock(file, 0, () => 'done')).toBeUndefined();
    utimesSync(lock, 1, 1);
    expect(await withRegistryLock(file, 60_000, () => 'done')).toBeUndefined();
    expect(existsSync(lock)).toBe(true);
  });

  it('is known to be lost if another process has replaced it', async () => {
    const { file, lock } = open();
    const isHeld = await withRegistryLock(file, 0, (isHeld) => {
      utimesSync(lock, 1, 1);
      return isHeld();
    });
    expect(isHeld).toBe(false);
    expect(existsSync(lock)).toBe(true);
  });

  it('fails if the folder of the file does not exist', async () => {
    await expect(withRegistryLock('/none/projects.json', 0, () => 1)).rejects.toThrow('ENOENT');
  });
});
