import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { killProcessTree } from '../../../src/base/process/kill-process-tree.js';
import { readStartTime } from '../../../src/base/process/process-table.js';
import { PROCESS_TAG_VARIABLE, ProcessTree } from '../../../src/base/process/process-tree.js';
import { endAfterTest, isAlive, until } from '../../fixtures/cli/support.js';

interface Started {
  readonly tag: string;
  readonly rootPid: number;
  /** Pids that the script printed. */
  readonly printed: readonly number[];
}

/** Runs a shell script that prints a line of pids and keeps running. */
async function start(script: string, isTagged: boolean): Promise<Started> {
  const tag = randomUUID();
  const tagEntry = isTagged ? { [PROCESS_TAG_VARIABLE]: tag } : {};
  const child = spawn('sh', ['-c', script], {
    env: { PATH: process.env['PATH'], ...tagEntry },
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [output] = await once(child.stdout, 'data');
  const printed = String(output).trim().split(' ').map(Number);
  const rootPid = child.pid ?? 0;
  endAfterTest(rootPid, ...printed);
  return { tag, rootPid, printed };
}

const pidsOf = (tree: ProcessTree) => tree.living().map(({ pid }) => pid);
const sorted = (pids: readonly number[]) => [...pids].sort((a, b) => a - b);

/** Starts a process that prints its own pid, in a session of its own. */
const APART = `setsid sh -c 'echo $$ >&3; exec sleep 30'`;

describe('a process tree', () => {
  it('has the children and grandchildren of the root, in any process group or session', async () => {
    const script = `exec 3>&1; pids=$( (${APART} & sleep 30 >/dev/null 2>&1 & echo $!) 3>&1 | head -2); echo $pids; exec sleep 30`;
    const { tag, rootPid, printed } = await start(script, true);
    expect(printed).toHaveLength(2);
    const tree = new ProcessTree({ tag: tag, rootPid });
    // A process has no environment for a moment while it calls exec().
    await until(() => printed.every((pid) => pidsOf(tree).includes(pid)));
    const members = pidsOf(tree);
    expect(members).toEqual(expect.arrayContaining([rootPid, ...printed]));
    expect(members).not.toContain(process.pid);
  });

  it('has orphans that only the tag in the environment links to it', async () => {
    const { tag, rootPid, printed } = await start('setsid sleep 30 & echo $!', true);
    await until(() => !isAlive(rootPid));
    expect(pidsOf(new ProcessTree({ tag: tag }))).toEqual(printed);
    expect(pidsOf(new ProcessTree({ tag: randomUUID() }))).toEqual([]);
  });

  it('is found from its root if no process is tagged', async () => {
    const script = 'sleep 30 & first=$!; env -i sleep 30 & echo $first $!; wait';
    const { rootPid, printed } = await start(script, false);
    const tree = new ProcessTree({ tag: randomUUID(), rootPid });
    expect(sorted(pidsOf(tree))).toEqual(sorted([rootPid, ...printed]));
    expect(tree.rootPid).toBe(rootPid);
  });

  it('remembers members whose parent has ended since', async () => {
    const script = 'env -i setsid sleep 30 & echo $!; wait';
    const { rootPid, printed } = await start(script, false);
    const tree = new ProcessTree({ tag: randomUUID(), rootPid });
    await until(() => tree.living().length === 2);
    process.kill(rootPid, 'SIGKILL');
    await until(() => !isAlive(rootPid));
    expect(pidsOf(tree)).toEqual(printed);
    expect(pidsOf(new ProcessTree({ tag: randomUUID(), rootPid }))).toEqual([]);
  });

  it('remembers members found by refresh() after their parent has ended', async () => {
    const script = 'env -i setsid sleep 30 & echo $!; wait';
    const { rootPid, printed } = await start(script, false);
    const tree = new ProcessTree({ tag: randomUUID(), rootPid });
    tree.refresh();
    process.kill(rootPid, 'SIGKILL');
    await until(() => !isAlive(rootPid));
    expect(pidsOf(tree)).toEqual(printed);
  });

  it('contains neither this process nor its other children', async () => {
    const one = await start('echo $$; exec sleep 30', true);
    const other = await start('echo $$; exec sleep 30', true);
    expect(pidsOf(new ProcessTree(one))).toEqual([one.rootPid]);
    expect(pidsOf(new ProcessTree(other))).toEqual([other.rootPid]);
  });

  it('is empty after all its processes have ended', async () => {
    const { tag, rootPid } = await start('echo $$', true);
    const tree = new ProcessTree({ tag: tag, rootPid });
    await until(() => !isAlive(rootPid));
    expect(tree.living()).toEqual([]);
  });
});

describe('a pid that belongs to a later process', () => {
  it('is not the root of the tree (claim: pid-reuse)', async () => {
    const { rootPid } = await start('echo $$; exec sleep 30', false);
    const startTime = readStartTime(rootPid) ?? 0;
    const tag = randomUUID();
    const earlier = new ProcessTree({ tag, rootPid, rootStartTime: startTime - 1 });
    expect(earlier.living()).toEqual([]);
    expect(pidsOf(new ProcessTree({ tag, rootPid, rootStartTime: startTime }))).toEqual([rootPid]);
  });

  it('gets no signal (claim: pid-reuse)', async () => {
    const { rootPid } = await start('echo $$; exec sleep 30', false);
    const polls = [[{ pid: rootPid, startTime: '1' }], []];
    const living = () => polls.shift() ?? [];
    await killProcessTree({ rootPid, living });
    expect(isAlive(rootPid)).toBe(true);
  });
});
