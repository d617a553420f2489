import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readProcessTable } from '../../../src/base/process/process-table.js';
import { type SpawnRequest, spawnWithFiles } from '../../../src/base/process/spawn-with-files.js';
import { endAfterTest, makeFolder } from '../../fixtures/cli/support.js';

/** Starts a shell with this script and with new files for stdin, stdout and stderr. */
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

describe('spawnWithFiles', () => {
  it('connects stdin, stdout and stderr to private files', async () => {
    const { request, read, folder } = prepare('cat; echo oops >&2; exit 7');
    const { pid, exited } = spawnWithFiles(request);
    expect(pid).toBeGreaterThan(0);
    expect(await exited).toEqual({ exitCode: 7, signal: undefined, spawnErrno: undefined });
    expect([read('out'), read('err')]).toEqual(['line one\nline two', 'oops\n']);
    expect(statSync(join(folder, 'out')).mode & 0o777).toBe(0o600);
    expect(statSync(join(folder, 'err')).mode & 0o777).toBe(0o600);
  });

  it('appends to existing output files', async () => {
    const { request, read, folder } = prepare('echo new');
    writeFileSync(join(folder, 'out'), 'old\n');
    await spawnWithFiles(request).exited;
    expect(read('out')).toBe('old\nnew\n');
  });

  it('passes the given environment and folder, and inherits nothing', async () => {
    const env = { ONLY: 'this' };
    const { request, read, folder } = prepare('pwd; echo "[$ONLY][$HOME]"', { env });
    await spawnWithFiles(request).exited;
    expect(read('out')).toBe(`${folder}\n[this][]\n`);
  });

  it('starts a process group of its own', async () => {
    const { request } = prepare('exec sleep 30');
    const { pid = 0, exited } = spawnWithFiles(request);
    endAfterTest(pid);
    expect(readProcessTable().find((entry) => entry.pid === pid)?.groupId).toBe(pid);
    process.kill(pid, 'SIGTERM');
    expect(await exited).toEqual({ exitCode: undefined, signal: 'SIGTERM', spawnErrno: undefined });
  });

  it('keeps the whole output of a process that is killed', async () => {
    const { request, read } = prepare('head -c 3000000 /dev/zero; kill -9 $$');
    expect(await spawnWithFiles(request).exited).toMatchObject({ signal: 'SIGKILL' });
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
  ])('reports the errno for %s', async (_what, more, spawnErrno) => {
    const { pid, exited } = spawnWithFiles(prepare('true', more).request);
    expect(pid).toBeUndefined();
    expect(await exited).toMatchObject({ exitCode: undefined, spawnErrno });
  });

  it('throws if the stdin file is missing', () => {
    const { request } = prepare('true', { stdinFile: '/no/such/file' });
    expect(() => spawnWithFiles(request)).toThrow('ENOENT');
  });
});

describe('starting several CLIs one after another', () => {
  it('leaves no file open', async () => {
    const countOpen = () => readdirSync('/proc/self/fd').length;
    const { request } = prepare('true');
    const missing = prepare('true', { command: '/no/such/gemini' });
    await spawnWithFiles(request).exited;
    const before = countOpen();
    for (let round = 0; round < 15; round++) {
      await spawnWithFiles(request).exited;
      await spawnWithFiles(missing.request).exited;
    }
    // Node closes the files shortly after the exit event.
    await expect.poll(countOpen).toBeLessThanOrEqual(before);
  });
});
