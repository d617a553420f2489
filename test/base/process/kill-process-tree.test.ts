import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { killProcessTree } from '../../../src/base/process/kill-process-tree.js';
import { PROCESS_TAG_VARIABLE, ProcessTree } from '../../../src/base/process/process-tree.js';
import { endAfterTest, isAlive, makeFolder, program, until } from '../../fixtures/cli/support.js';

async function start(command: string, args: readonly string[]) {
  const tag = randomUUID();
  const child = spawn(command, args, {
    env: { ...process.env, [PROCESS_TAG_VARIABLE]: tag },
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const rootPid = child.pid ?? 0;
  endAfterTest(rootPid);
  const [said] = await once(child.stdout, 'data');
  return { family: new ProcessTree({ tag: tag, rootPid }), rootPid, said: String(said).trim() };
}

describe('ending a run', () => {
  it('forces those who ignore SIGTERM, and those whom they leave behind', async () => {
    const script = `setsid sh -c 'trap "" TERM; sleep 30 & echo $!; wait' & exec ${program('stubborn.mjs')}`;
    const { family, said } = await start('sh', ['-c', script]);
    endAfterTest(Number(said.split('\n')[0]));
    await until(() => family.living().length === 3);
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const ending = killProcessTree(family);
    // They get two seconds, which is a matter of the clock alone.
    vi.setSystemTime(Date.now() + 1_900);
    await setTimeout(100);
    expect(family.living()).not.toEqual([]);
    vi.setSystemTime(Date.now() + 100);
    expect(await ending).toEqual([]);
    expect(family.living()).toEqual([]);
  });

  it('lets a process that listens clean up after itself', async () => {
    const done = join(makeFolder(), 'done');
    const script = `trap 'sleep 0.1; touch ${done}; exit 0' TERM; echo ready; while :; do sleep 0.01; done`;
    const { family, rootPid } = await start('sh', ['-c', script]);
    expect(await killProcessTree(family)).toEqual([]);
    expect(isAlive(rootPid)).toBe(false);
    expect(existsSync(done)).toBe(true);
  });

  it('ends orphans and other sessions along with the rest', async () => {
    const script = 'setsid sleep 30 & one=$!; (setsid sleep 30 & echo $one $!)';
    const { family, rootPid, said } = await start('sh', ['-c', script]);
    const pids = said.split(' ').map(Number);
    endAfterTest(...pids);
    await until(() => !isAlive(rootPid));
    expect(await killProcessTree(family)).toEqual([]);
    expect(pids.filter(isAlive)).toEqual([]);
  });

  it('that is over already does nothing', async () => {
    expect(await killProcessTree(new ProcessTree({ tag: randomUUID() }))).toEqual([]);
  });
});
