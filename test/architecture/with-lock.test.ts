import { existsSync, mkdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
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

  it('is taken over when it was not renewed for long, because its pid belongs to another process', async () => {
    const lock = join(makeTree(), 'build.lock');
    writeFileSync(lock, String(process.pid));
    utimesSync(lock, 0, 0);
    expect(await withLock(lock, async () => 'done')).toBe('done');
  });

  it('is taken over although a killed process left its guard behind', async () => {
    const lock = join(makeTree({ 'build.lock': String(DEAD_PID) }), 'build.lock');
    const guard = `${lock}.takeover`;
    mkdirSync(guard);
    const longAgo = Date.now() / 1000 - 11;
    utimesSync(guard, longAgo, longAgo);
    expect(await withLock(lock, async () => 'done')).toBe('done');
    expect(existsSync(guard)).toBe(false);
  });

  it('is renewed while the work runs', async () => {
    const lock = join(makeTree(), 'build.lock');
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    try {
      await withLock(lock, async () => {
        utimesSync(lock, 0, 0);
        vi.advanceTimersByTime(10_000);
        expect(Date.now() - statSync(lock).mtimeMs).toBeLessThan(60_000);
      });
    } finally {
      vi.useRealTimers();
    }
  });

  it('is left alone if another process has taken it over', async () => {
    const lock = join(makeTree(), 'build.lock');
    await withLock(lock, async () => writeFileSync(lock, String(DEAD_PID)));
    expect(readFileSync(lock, 'utf8')).toBe(String(DEAD_PID));
  });
});
