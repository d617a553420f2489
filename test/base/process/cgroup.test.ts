import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  addToCgroup,
  cgroupOf,
  createCgroup,
  findOwnCgroup,
  killCgroup,
  readCgroupPids,
  removeCgroup,
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
