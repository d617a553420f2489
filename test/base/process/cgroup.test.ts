import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  addToCgroup,
  cgroupOf,
  createCgroup,
  findOwnCgroup,
  killCgroup,
  readCgroupPids,
  removeCgroup,
  removeCgroupSoon,
  removeStaleCgroups,
} from '../../../src/base/process/cgroup.js';
import { makeFolder } from '../../fixtures/cli/support.js';

describe('a cgroup', () => {
  it('of this process is a folder with processes, if the system has cgroups of version 2', () => {
    const own = findOwnCgroup();
    expect(own === undefined || existsSync(join(own, 'cgroup.procs'))).toBe(true);
  });

  it('is created once, and fails without an exception', () => {
    const path = cgroupOf(makeFolder(), 'tag');
    expect([createCgroup(path), createCgroup(path)]).toEqual([true, false]);
    expect(createCgroup(join(path, 'no', 'parent'))).toBe(false);
    expect(addToCgroup(join(path, 'none'), 1)).toBe(false);
  });

  it('has the processes of the cgroups below it', () => {
    const path = makeFolder({ 'cgroup.procs': '1\n22\n', 'below/cgroup.procs': '333\n' });
    expect(readCgroupPids(path)).toEqual([1, 22, 333]);
    expect(readCgroupPids(join(path, 'none'))).toEqual([]);
  });

  it('is killed through a file', () => {
    const path = makeFolder({ 'cgroup.kill': '' });
    killCgroup(path);
    expect(readFileSync(join(path, 'cgroup.kill'), 'utf8')).toBe('1');
  });

  it('that a killed host has left is removed when it is old, and only then', () => {
    const parent = makeFolder();
    for (const name of ['gemini-cli-provider-a', 'gemini-cli-provider-b', 'other'])
      mkdirSync(join(parent, name));
    removeStaleCgroups(parent);
    expect(readdirSync(parent)).toHaveLength(3);
    vi.useFakeTimers({ now: Date.now() + 120_000, toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    removeStaleCgroups(parent);
    expect(readdirSync(parent)).toEqual(['other']);
  });

  it('is removed as soon as its last process has ended', async () => {
    const path = cgroupOf(makeFolder(), 'tag');
    mkdirSync(path);
    // A file in the folder stands for a process: the folder cannot be removed.
    writeFileSync(join(path, 'process'), '');
    const removed = removeCgroupSoon(path);
    expect(existsSync(path)).toBe(true);
    rmSync(join(path, 'process'));
    await removed;
    expect(existsSync(path)).toBe(false);
  });

  it('is removed with the cgroups below it, but never with files', () => {
    const path = join(makeFolder(), 'cgroup');
    mkdirSync(join(path, 'a', 'b'), { recursive: true });
    removeCgroup(path);
    expect(existsSync(path)).toBe(false);
    const full = makeFolder({ 'a.txt': 'a' });
    removeCgroup(full);
    expect(existsSync(join(full, 'a.txt'))).toBe(true);
  });
});
