import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readProcessTable } from '../../../src/base/process/process-table.js';
import {
  closeIdleReaper,
  forgetFolder,
  forgetProcesses,
  watchFolder,
  watchProcesses,
} from '../../../src/base/process/reaper.js';
import { endAfterTest, isAlive, makeFolder, program, until } from '../../fixtures/cli/support.js';

/** Returns the pids of the reapers that this process has started. */
function findReapers(): number[] {
  return readProcessTable().flatMap(({ pid, parentPid }) => {
    if (parentPid !== process.pid) return [];
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes('reaper') ? pid : [];
  });
}

describe('a host that is killed with SIGKILL', () => {
  it('leaves no watched process or folder behind, but keeps forgotten ones', async () => {
    const [watched, forgotten] = [makeFolder({ 'stdin.txt': 'x' }), makeFolder({ 'a.txt': 'x' })];
    const host = spawn(process.execPath, [program('host.mjs'), watched, forgotten], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [output] = await once(host.stdout, 'data');
    const [watchedPid, forgottenPid]: number[] = JSON.parse(String(output));
    endAfterTest(host.pid ?? 0, watchedPid ?? 0, forgottenPid ?? 0);
    expect([watchedPid, forgottenPid].map((pid) => isAlive(pid ?? 0))).toEqual([true, true]);
    host.kill('SIGKILL');
    await until(() => !isAlive(watchedPid ?? 0) && !existsSync(watched));
    expect(isAlive(forgottenPid ?? 0)).toBe(true);
    expect(existsSync(forgotten)).toBe(true);
  });
});

describe('a private folder that its host does not remove', () => {
  it.each([
    ['before anything runs in it', 'host-preparing.mjs'],
    ['at the last event', 'host-leaving.mjs'],
  ])('is removed after a host that ends %s', async (_when, name) => {
    const temp = makeFolder();
    const host = spawn(process.execPath, [program(name)], {
      env: { ...process.env, TMPDIR: temp },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    endAfterTest(host.pid ?? 0);
    const [output] = await once(host.stdout, 'data');
    expect(String(output)).toMatch(/^gemini-cli-provider-[\w-]+\n$/);
    await until(() => readdirSync(temp).length === 0);
  });
});

describe('a host whose reaper has died', () => {
  it('starts a new reaper for the next process, which also knows the earlier ones', async () => {
    const folders = [makeFolder({ 'a.txt': 'x' }), makeFolder({ 'a.txt': 'x' })];
    const host = spawn(process.execPath, [program('host-of-dead-reaper.mjs'), ...folders], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    endAfterTest(host.pid ?? 0);
    const [output] = await once(host.stdout, 'data');
    const pids: number[] = JSON.parse(String(output));
    endAfterTest(...pids);
    expect(pids.map(isAlive)).toEqual([true, true]);
    host.kill('SIGKILL');
    await until(() => !pids.some(isAlive) && !folders.some((folder) => existsSync(folder)));
  });
});

describe('a reaper that is killed or stopped while it watches', () => {
  it.each(['SIGKILL', 'SIGSTOP'] as const)(
    'by %s is replaced by one that knows everything (claim: reaper-is-replaced)',
    async (signal) => {
      const folder = makeFolder({ 'a.txt': 'x' });
      const host = spawn(
        process.execPath,
        [program('host-of-stopped-reaper.mjs'), folder, signal],
        {
          stdio: ['ignore', 'pipe', 'inherit'],
        },
      );
      endAfterTest(host.pid ?? 0);
      const [output] = await once(host.stdout, 'data');
      const watched = Number(output);
      endAfterTest(watched);
      expect([isAlive(watched), existsSync(folder)]).toEqual([true, true]);
      host.kill('SIGKILL');
      await until(() => !isAlive(watched) && !existsSync(folder));
    },
  );
});

describe('the reaper', () => {
  it('is one process for all trees, which ends when nothing is watched', async () => {
    await closeIdleReaper();
    expect(findReapers()).toEqual([]);
    const tags = [randomUUID(), randomUUID()];
    const folder = makeFolder();
    for (const tag of tags) watchProcesses(tag);
    await until(() => findReapers().length === 1);
    for (const tag of tags) watchProcesses(tag, 1);
    expect(findReapers()).toHaveLength(1);
    forgetProcesses(tags[0] ?? '');
    await closeIdleReaper();
    expect(findReapers()).toHaveLength(1);
    watchFolder(folder);
    forgetProcesses(tags[1] ?? '');
    await closeIdleReaper();
    expect(findReapers()).toHaveLength(1);
    forgetFolder(folder);
    await closeIdleReaper();
    expect(findReapers()).toEqual([]);
    expect(existsSync(folder)).toBe(true);
  });

  it('is started again after its death', async () => {
    const tag = randomUUID();
    watchProcesses(tag);
    await until(() => findReapers().length === 1);
    for (const pid of findReapers()) process.kill(pid, 'SIGKILL');
    await until(() => findReapers().length === 0);
    watchProcesses(tag);
    forgetProcesses(tag);
    await closeIdleReaper();
    expect(findReapers()).toEqual([]);
  });
});
