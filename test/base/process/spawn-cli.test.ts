import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readProcessTable } from '../../../src/base/process/process-table.js';
import { type SpawnRequest, spawnCli } from '../../../src/base/process/spawn-cli.js';
import { endAfterTest, makeFolder } from '../../fixtures/cli/support.js';

/** A shell that runs this script, with files of its own. */
function prepare(script: string, more: Partial<SpawnRequest> = {}) {
  const folder = makeFolder({ in: 'line one\nline two' });
  const request: SpawnRequest = {
    command: '/bin/sh',
    args: ['-c', script],
    cwd: folder,
    env: { PATH: process.env['PATH'] ?? '' },
    stdinFile: join(folder, 'in'),
    stdoutFile: join(folder, 'out'),
    stderrFile: join(folder, 'err'),
    ...more,
  };
  return { request, read: (name: string) => readFileSync(join(folder, name), 'utf8'), folder };
}

describe('a CLI that was started', () => {
  it('reads its stdin from a file and writes to files that only we can read', async () => {
    const { request, read, folder } = prepare('cat; echo oops >&2; exit 7');
    const { pid, exited } = spawnCli(request);
    expect(pid).toBeGreaterThan(0);
    expect(await exited).toEqual({ exitCode: 7, signal: undefined, spawnErrno: undefined });
    expect([read('out'), read('err')]).toEqual(['line one\nline two', 'oops\n']);
    expect(statSync(join(folder, 'out')).mode & 0o777).toBe(0o600);
    expect(statSync(join(folder, 'err')).mode & 0o777).toBe(0o600);
  });

  it('adds to what its files hold already', async () => {
    const { request, read, folder } = prepare('echo new');
    writeFileSync(join(folder, 'out'), 'old\n');
    await spawnCli(request).exited;
    expect(read('out')).toBe('old\nnew\n');
  });

  it('has the environment and the folder it was given, and nothing of ours', async () => {
    const env = { ONLY: 'this' };
    const { request, read, folder } = prepare('pwd; echo "[$ONLY][$HOME]"', { env });
    await spawnCli(request).exited;
    expect(read('out')).toBe(`${folder}\n[this][]\n`);
  });

  it('leads a group of its own', async () => {
    const { request } = prepare('exec sleep 30');
    const { pid = 0, exited } = spawnCli(request);
    endAfterTest(pid);
    expect(readProcessTable().find((entry) => entry.pid === pid)?.groupId).toBe(pid);
    process.kill(pid, 'SIGTERM');
    expect(await exited).toEqual({ exitCode: undefined, signal: 'SIGTERM', spawnErrno: undefined });
  });

  it('keeps everything that was written, however large and however sudden its end', async () => {
    const { request, read } = prepare('head -c 3000000 /dev/zero; kill -9 $$');
    expect(await spawnCli(request).exited).toMatchObject({ signal: 'SIGKILL' });
    expect(read('out')).toHaveLength(3_000_000);
  });
});

describe('a CLI that cannot be started', () => {
  it.each([
    ['a missing program', { command: '/no/such/gemini' }, 'ENOENT'],
    ['a missing folder', { cwd: '/no/such/folder' }, 'ENOENT'],
    ['a file that is no program', { command: '/etc/passwd' }, 'EACCES'],
    ['a file in the place of a folder', { command: '/etc/passwd/gemini' }, 'ENOTDIR'],
    ['an argument that is too long', { args: ['x'.repeat(200_000)] }, 'E2BIG'],
  ])('because of %s tells why', async (_what, more, spawnErrno) => {
    const { pid, exited } = spawnCli(prepare('true', more).request);
    expect(pid).toBeUndefined();
    expect(await exited).toMatchObject({ exitCode: undefined, spawnErrno });
  });

  it('for want of its input file throws', () => {
    const { request } = prepare('true', { stdinFile: '/no/such/file' });
    expect(() => spawnCli(request)).toThrow('ENOENT');
  });
});

describe('starting one CLI after the other', () => {
  it('leaves no file open behind', async () => {
    const countOpen = () => readdirSync('/proc/self/fd').length;
    const { request } = prepare('true');
    const missing = prepare('true', { command: '/no/such/gemini' });
    await spawnCli(request).exited;
    const before = countOpen();
    for (let round = 0; round < 15; round++) {
      await spawnCli(request).exited;
      await spawnCli(missing.request).exited;
    }
    // Files are closed a little after the last event.
    await expect.poll(countOpen).toBeLessThanOrEqual(before);
  });
});
