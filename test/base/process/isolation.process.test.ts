import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { ProcessIsolation } from '../../../src/api/process-isolation.js';
import { resolveIsolation } from '../../../src/base/process/isolation.js';
import { closeIdleReaper } from '../../../src/base/process/reaper.js';
import { runProgram } from '../../../src/base/process/run-program.js';
import { spawnTerminal } from '../../../src/base/process/spawn-terminal.js';
import { spawnWithFiles } from '../../../src/base/process/spawn-with-files.js';
import { WatchedTree } from '../../../src/base/process/watched-tree.js';
import { endAfterTest, isAlive, makeFolder, until } from '../../fixtures/cli/support.js';

afterAll(closeIdleReaper);

const MEANS = ['cgroup', 'subreaper', 'namespace'] as const;
const env = { PATH: process.env['PATH'] ?? '' };

/**
 * Command that leaves a daemon with nothing by which the process table could know it: new session, parent and
 * environment, and no resource limit (`ulimit -x` of bash does the same, but `sh` may have no such option). The file `pid`
 * gets the pid that the daemon has for this process.
 */
const daemon = (folder: string): string =>
  `(env -i setsid sh -c 'prlimit --pid $$ --locks=unlimited; sleep 64 & sed -n "s/^NSpid:[[:space:]]*\\([0-9]*\\).*/\\1/p" /proc/$!/status > ${folder}/pid; exit' >/dev/null 2>&1 </dev/null &); while [ ! -s ${folder}/pid ]; do sleep 0.01; done`;

describe.each(MEANS)('the means %s', (means) => {
  it('hold a daemon that a command leaves behind (claim: daemons-end)', async () => {
    const isolation = await resolveIsolation(means);
    expect(isolation.means).toBe(means);
    const folder = makeFolder();
    const before = listSleepers();
    const child = spawnTerminal({
      processTag: randomUUID(),
      command: '/bin/sh',
      args: ['-c', daemon(folder)],
      cwd: folder,
      env,
      onOutput: () => {},
      isolation,
    });
    expect(await child.exited).toMatchObject({ exitCode: 0 });
    const left = listSleepers().filter((pid) => !before.includes(pid));
    endAfterTest(...left);
    // A namespace ends with its first process. The other means keep the daemon until the tree is ended.
    expect(left).toHaveLength(means === 'namespace' ? 0 : 1);
    for (const pid of left) expect(limitsOf(pid)).toMatch(/^Max file locks +unlimited/m);
    await child.kill();
    expect(left.filter(isAlive)).toEqual([]);
  });

  it('pass arguments, output, exit code and signal on', async () => {
    const isolation = await resolveIsolation(means);
    const cwd = makeFolder();
    const run = (args: readonly string[]) =>
      runProgram({
        command: '/bin/sh',
        args,
        cwd,
        env,
        timeoutMs: 20_000,
        outputBytes: 99,
        isolation,
      });
    expect(await run(['-c', 'printf "%s|" "$0" "$@"; pwd; exit 7', 'a b', '$c', ''])).toMatchObject(
      {
        exitCode: 7,
        output: `a b|$c||${cwd}\n`,
      },
    );
    // The first process of a namespace cannot be killed from inside.
    if (means === 'namespace') return;
    expect(await run(['-c', 'kill -KILL $$'])).toMatchObject({ signal: 'SIGKILL' });
  });

  it('report a program that does not exist by its errno', async () => {
    const isolation = await resolveIsolation(means);
    const request = { args: [], cwd: '/', env, timeoutMs: 9_000, outputBytes: 99, isolation };
    const missing = await runProgram({ ...request, command: 'no-such-program' });
    expect(missing).toMatchObject({ spawnErrno: 'ENOENT' });
  });

  it('are released when the tree has ended', async () => {
    const isolation = await resolveIsolation(means);
    const folder = makeFolder({ in: '' });
    const tree = new WatchedTree(randomUUID(), isolation);
    const child = spawnWithFiles({
      command: 'sleep',
      args: ['65'],
      cwd: folder,
      env,
      stdinFile: join(folder, 'in'),
      stdoutFile: join(folder, 'out'),
      stderrFile: join(folder, 'err'),
      launcher: tree.launcher,
    });
    tree.started(child.pid);
    await until(() => tree.agentPid !== undefined && nameOf(tree.agentPid) === 'sleep');
    const agentPid = tree.agentPid ?? 0;
    endAfterTest(agentPid);
    expect(await tree.kill()).toEqual([]);
    tree.forget();
    await child.exited;
    expect(isAlive(agentPid)).toBe(false);
    expect(tree.cgroup !== undefined && existsSync(tree.cgroup)).toBe(false);
  });
});

describe('the choice of means', () => {
  it('auto takes a cgroup or a subreaper, never a namespace', async () => {
    const { means, launcher } = await resolveIsolation('auto');
    expect(['cgroup', 'subreaper']).toContain(means);
    expect(launcher).not.toContain('unshare');
  });

  it('off takes none', async () => {
    expect(await resolveIsolation('off')).toMatchObject({ means: 'none', launcher: [] });
  });

  it.each<ProcessIsolation>(['auto', 'off', 'cgroup'])('is made once for %s', async (wanted) => {
    expect(await resolveIsolation(wanted)).toBe(await resolveIsolation(wanted));
  });
});

function listSleepers(): number[] {
  return readPids().filter((pid) => commandOf(pid) === ['sleep', '64', ''].join('\0'));
}

function readPids(): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

function commandOf(pid: number): string {
  return readOr('', `/proc/${pid}/cmdline`);
}

function limitsOf(pid: number): string {
  return readOr('', `/proc/${pid}/limits`);
}

function nameOf(pid: number): string {
  return readOr('', `/proc/${pid}/comm`).trim();
}

function readOr(other: string, path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return other;
  }
}
