import { existsSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { withLock } from '../../.config/with-lock.mjs';
import { makeTree } from '../base/fs/make-tree.js';

const DEAD_PID = 2 ** 22 + 1;

describe('a build lock', () => {
  it('lets one process work at a time, and is removed afterwards', async () => {
    const lock = join(makeTree(), 'cache', 'build.lock');
    const steps: string[] = [];
    const work = (name: string) => async () => {
      expect(readFileSync(lock, 'utf8')).toBe(String(process.pid));
      steps.push(`${name} begins`);
      await sleep(20);
      steps.push(`${name} ends`);
    };
    await Promise.all([withLock(lock, work('a')), withLock(lock, work('b'))]);
    expect(steps).toEqual(['a begins', 'a ends', 'b begins', 'b ends']);
    expect(existsSync(lock)).toBe(false);
  });

  it('is released when the work fails', async () => {
    const lock = join(makeTree(), 'build.lock');
    const failing = withLock(lock, () => Promise.reject(new Error('The build failed')));
    await expect(failing).rejects.toThrow('The build failed');
    expect(existsSync(lock)).toBe(false);
  });

  it('is taken over from a dead process', async () => {
    const lock = join(makeTree({ 'build.lock': String(DEAD_PID) }), 'build.lock');
    expect(await withLock(lock, async () => 'done')).toBe('done');
  });

  it('is taken over when it is older than any build', async () => {
    const lock = join(makeTree(), 'build.lock');
    writeFileSync(lock, String(process.pid));
    utimesSync(lock, 0, 0);
    expect(await withLock(lock, async () => 'done')).toBe('done');
  });
});
