import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { PROCESS_TAG_VARIABLE, ProcessTree } from '../../../src/base/process/process-tree.js';
import { endAfterTest, isAlive, until } from '../../fixtures/cli/support.js';

interface Started {
  readonly tag: string;
  readonly rootPid: number;
  /** What the script has printed: the pids it wants us to know. */
  readonly printed: readonly number[];
}

/** Runs a shell script that prints a line of pids and then stays. */
async function start(script: string, isMarked: boolean): Promise<Started> {
  const tag = randomUUID();
  const mark = isMarked ? { [PROCESS_TAG_VARIABLE]: tag } : {};
  const child = spawn('sh', ['-c', script], {
    env: { PATH: process.env['PATH'], ...mark },
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [said] = await once(child.stdout, 'data');
  const printed = String(said).trim().split(' ').map(Number);
  const rootPid = child.pid ?? 0;
  endAfterTest(rootPid, ...printed);
  return { tag, rootPid, printed };
}

const pidsOf = (family: ProcessTree) => family.living().map(({ pid }) => pid);
const sorted = (pids: readonly number[]) => [...pids].sort((a, b) => a - b);

/** A process that writes its pid itself, in a session of its own. */
const APART = `setsid sh -c 'echo $$ >&3; exec sleep 30'`;

describe('the family of a run', () => {
  it('has its children and grandchildren, whatever group or session they moved to', async () => {
    const script = `exec 3>&1; pids=$( (${APART} & sleep 30 >/dev/null 2>&1 & echo $!) 3>&1 | head -2); echo $pids; exec sleep 30`;
    const { tag, rootPid, printed } = await start(script, true);
    expect(printed).toHaveLength(2);
    const family = new ProcessTree({ tag: tag, rootPid });
    // One that is just becoming another program has no environment for a moment.
    await until(() => printed.every((pid) => pidsOf(family).includes(pid)));
    const members = pidsOf(family);
    expect(members).toEqual(expect.arrayContaining([rootPid, ...printed]));
    expect(members).not.toContain(process.pid);
  });

  it('has orphans that nothing but the marker still links to it', async () => {
    const { tag, rootPid, printed } = await start('setsid sleep 30 & echo $!', true);
    await until(() => !isAlive(rootPid));
    expect(pidsOf(new ProcessTree({ tag: tag }))).toEqual(printed);
    expect(pidsOf(new ProcessTree({ tag: randomUUID() }))).toEqual([]);
  });

  it('without a marker is found from its root down', async () => {
    const script = 'sleep 30 & first=$!; env -i sleep 30 & echo $first $!; wait';
    const { rootPid, printed } = await start(script, false);
    const family = new ProcessTree({ tag: randomUUID(), rootPid });
    expect(sorted(pidsOf(family))).toEqual(sorted([rootPid, ...printed]));
    expect(family.rootPid).toBe(rootPid);
  });

  it('remembers members whose parent has gone since', async () => {
    const script = 'env -i setsid sleep 30 & echo $!; wait';
    const { rootPid, printed } = await start(script, false);
    const family = new ProcessTree({ tag: randomUUID(), rootPid });
    await until(() => family.living().length === 2);
    process.kill(rootPid, 'SIGKILL');
    await until(() => !isAlive(rootPid));
    expect(pidsOf(family)).toEqual(printed);
    expect(pidsOf(new ProcessTree({ tag: randomUUID(), rootPid }))).toEqual([]);
  });

  it('knows from a look those who are then left by their parent', async () => {
    const script = 'env -i setsid sleep 30 & echo $!; wait';
    const { rootPid, printed } = await start(script, false);
    const family = new ProcessTree({ tag: randomUUID(), rootPid });
    family.refresh();
    process.kill(rootPid, 'SIGKILL');
    await until(() => !isAlive(rootPid));
    expect(pidsOf(family)).toEqual(printed);
  });

  it('has neither us nor what we have started besides', async () => {
    const one = await start('echo $$; exec sleep 30', true);
    const other = await start('echo $$; exec sleep 30', true);
    expect(pidsOf(new ProcessTree(one))).toEqual([one.rootPid]);
    expect(pidsOf(new ProcessTree(other))).toEqual([other.rootPid]);
  });

  it('is empty when all of it has gone', async () => {
    const { tag, rootPid } = await start('echo $$', true);
    const family = new ProcessTree({ tag: tag, rootPid });
    await until(() => !isAlive(rootPid));
    expect(family.living()).toEqual([]);
  });
});
