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
  const [output] = await once(child.stdout, 'data');
  return { tree: new ProcessTree({ tag: tag, rootPid }), rootPid, output: String(output).trim() };
}

describe('killProcessTree', () => {
  it('sends SIGKILL to processes that ignore SIGTERM and to their orphans', async () => {
    const script = `setsid sh -c 'trap "" TERM; sleep 30 & echo $!; wait' & exec ${program('stubborn.mjs')}`;
    const { tree, output } = await start('sh', ['-c', script]);
    endAfterTest(Number(output.split('\n')[0]));
    await until(() => tree.living().length === 3);
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const ending = killProcessTree(tree);
    // The grace time of two seconds depends on Date alone, which is faked here.
    vi.setSystemTime(Date.now() + 1_900);
    await setTimeout(100);
    expect(tree.living()).not.toEqual([]);
    vi.setSystemTime(Date.now() + 100);
    expect(await ending).toEqual([]);
    expect(tree.living()).toEqual([]);
  });

  it('lets a process with a SIGTERM handler clean up', async () => {
    const done = join(makeFolder(), 'done');
    const script = `trap 'sleep 0.1; touch ${done}; exit 0' TERM; echo ready; while :; do sleep 0.01; done`;
    const { tree, rootPid } = await start('sh', ['-c', script]);
    expect(await killProcessTree(tree)).toEqual([]);
    expect(isAlive(rootPid)).toBe(false);
    expect(existsSync(done)).toBe(true);
  });

  it('ends orphans and processes in other sessions too', async () => {
    const script = 'setsid sleep 30 & one=$!; (setsid sleep 30 & echo $one $!)';
    const { tree, rootPid, output } = await start('sh', ['-c', script]);
    const pids = output.split(' ').map(Number);
    endAfterTest(...pids);
    await until(() => !isAlive(rootPid));
    expect(await killProcessTree(tree)).toEqual([]);
    expect(pids.filter(isAlive)).toEqual([]);
  });

  it('does nothing for a tree without living processes', async () => {
    expect(await killProcessTree(new ProcessTree({ tag: randomUUID() }))).toEqual([]);
  });
});
