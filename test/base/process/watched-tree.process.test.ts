import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { readCgroupPids } from '../../../src/base/process/cgroup.js';
import { resolveIsolation } from '../../../src/base/process/isolation.js';
import { closeIdleReaper } from '../../../src/base/process/reaper.js';
import { WatchedTree } from '../../../src/base/process/watched-tree.js';
import { endAfterTest, program, until } from '../../fixtures/cli/support.js';

afterAll(closeIdleReaper);

/** Starts a tree in a cgroup with a process that lives for these seconds. */
async function startSleeper(tag: string, seconds: string): Promise<WatchedTree> {
  const tree = new WatchedTree(tag, await resolveIsolation('cgroup'));
  const child = spawn('sleep', [seconds], { stdio: 'ignore' });
  endAfterTest(child.pid ?? 0);
  tree.started(child.pid);
  expect(readCgroupPids(tree.cgroup ?? '')).toEqual([child.pid]);
  return tree;
}

describe('a cgroup that is not empty when its tree is forgotten', () => {
  it('is removed by the reaper if the host exits at once (claim: cgroups-removed)', async () => {
    const host = spawn(process.execPath, [program('host-leaving-cgroup.mjs')], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [output] = await once(host.stdout, 'data');
    const [cgroup, pid]: [string, number] = JSON.parse(String(output));
    endAfterTest(pid);
    await until(() => !existsSync(cgroup));
  });

  it('is removed before the reaper is closed', async () => {
    const { cgroup = '', ...tree } = await startAndForget(randomUUID(), '0.3');
    expect(tree.isThere).toBe(true);
    await closeIdleReaper();
    expect(existsSync(cgroup)).toBe(false);
  });

  it('does not keep a later tree with the same tag from having its own', async () => {
    const tag = randomUUID();
    const { cgroup = '' } = await startAndForget(tag, '0.3');
    const later = await startSleeper(tag, '67');
    expect(later.cgroup).not.toBe(cgroup);
    await until(() => !existsSync(cgroup));
    expect(await later.kill()).toEqual([]);
    later.forget();
    await closeIdleReaper();
    expect(existsSync(later.cgroup ?? '')).toBe(false);
  });
});

async function startAndForget(
  tag: string,
  seconds: string,
): Promise<{ readonly cgroup: string | undefined; readonly isThere: boolean }> {
  const tree = await startSleeper(tag, seconds);
  tree.forget();
  return { cgroup: tree.cgroup, isThere: existsSync(tree.cgroup ?? '') };
}
