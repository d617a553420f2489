import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  hasEnvironmentEntry,
  readCpuMs,
  readMemoryMb,
  readProcessTable,
  readStartTime,
} from '../../../src/base/process/process-table.js';
import { endAfterTest, isAlive, makeFolder, until } from '../../fixtures/cli/support.js';

function start(command: string, args: readonly string[], options: object = {}): number {
  const { pid = 0 } = spawn(command, args, { stdio: 'ignore', ...options });
  endAfterTest(pid);
  return pid;
}
const find = (pid: number) => readProcessTable().find((entry) => entry.pid === pid);

describe('the process table', () => {
  it('lists each living process with its parent, group and session', () => {
    const child = start('sleep', ['30']);
    const leader = start('sleep', ['30'], { detached: true });
    const own = find(process.pid);
    expect(find(child)).toEqual({
      pid: child,
      parentPid: process.pid,
      groupId: own?.groupId,
      sessionId: own?.sessionId,
      startTime: expect.stringMatching(/^\d+$/),
    });
    expect(find(leader)).toMatchObject({ groupId: leader, sessionId: leader });
  });

  it('gives a process the same start time each time it is read', () => {
    const first = find(process.pid);
    expect(find(process.pid)?.startTime).toBe(first?.startTime);
    expect(find(start('sleep', ['30']))?.startTime).not.toBe(first?.startTime);
  });

  it('reads a process whose name has blanks and parentheses', async () => {
    const folder = makeFolder({ 'a) Z 1 (b*': '#!/bin/sh\nread line\n' });
    const child = spawn(join(folder, 'a) Z 1 (b'), { stdio: ['pipe', 'ignore', 'ignore'] });
    endAfterTest(child.pid ?? 0);
    await once(child, 'spawn');
    expect(find(child.pid ?? 0)?.parentPid).toBe(process.pid);
  });

  it('lists no zombies, although they can still be signalled', async () => {
    // After exec(), the parent is a plain `sleep`, which never waits for its child.
    const parent = spawn('sh', ['-c', 'sleep 30 & echo $!; exec sleep 30'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const [said] = await once(parent.stdout, 'data');
    const zombie = Number(String(said));
    endAfterTest(parent.pid ?? 0, zombie);
    await until(() => readFileSync(`/proc/${parent.pid}/comm`, 'utf8') === 'sleep\n');
    process.kill(zombie, 'SIGKILL');
    await until(() => !isAlive(zombie));
    expect(() => process.kill(zombie, 0)).not.toThrow();
    expect(find(zombie)).toBeUndefined();
    expect(find(parent.pid ?? 0)).toBeDefined();
  });
});

describe('the environment of a process', () => {
  it('is searched for a whole entry', async () => {
    const env = { MARK: 'one', PATH: process.env['PATH'] };
    const child = spawn('sleep', ['30'], { env, stdio: 'ignore' });
    const pid = child.pid ?? 0;
    endAfterTest(pid);
    await once(child, 'spawn');
    await until(() => hasEnvironmentEntry(pid, 'MARK=one'));
    expect(hasEnvironmentEntry(pid, 'MARK=on')).toBe(false);
    expect(hasEnvironmentEntry(pid, 'ARK=one')).toBe(false);
    expect(hasEnvironmentEntry(pid, 'HOME=/')).toBe(false);
  });

  it('has no entries for a process that has ended', async () => {
    const child = spawn('true', { env: { MARK: 'one' }, stdio: 'ignore' });
    await once(child, 'exit');
    expect(hasEnvironmentEntry(child.pid ?? 0, 'MARK=one')).toBe(false);
  });
});

describe('the start time of a process', () => {
  it('is the number of the table, and undefined for a missing process', () => {
    const entry = readProcessTable().find(({ pid }) => pid === process.pid);
    expect(readStartTime(process.pid)).toBe(Number(entry?.startTime));
    expect(readStartTime(2 ** 22 + 1)).toBeUndefined();
  });
});

describe('the memory of a process', () => {
  it('is known for a living process and undefined for a missing one', () => {
    const mb = readMemoryMb(process.pid) ?? 0;
    expect(mb).toBeGreaterThan(20);
    expect(mb).toBeLessThan(20_000);
    expect(readMemoryMb(2 ** 30)).toBeUndefined();
  });
});

describe('the CPU time of a process', () => {
  it('is that of the system for a living process, and undefined for a missing one', () => {
    const before = process.cpuUsage();
    const read = readCpuMs(process.pid) ?? 0;
    const after = process.cpuUsage();
    const toMs = ({ user, system }: NodeJS.CpuUsage): number => (user + system) / 1000;
    // Ticks are ten milliseconds long, and user and system time are rounded each.
    expect(read).toBeGreaterThanOrEqual(toMs(before) - 40);
    expect(read).toBeLessThanOrEqual(toMs(after) + 40);
    expect(readCpuMs(2 ** 30)).toBeUndefined();
  });
});
