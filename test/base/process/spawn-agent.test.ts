import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readProcessTable } from '../../../src/base/process/process-table.js';
import { type SpawnAgentRequest, spawnAgent } from '../../../src/base/process/spawn-agent.js';
import { endAfterTest, makeFolder } from '../../fixtures/cli/support.js';

/** Starts a shell with this script and collects its stdout in `output`. */
function start(script: string, more: Partial<SpawnAgentRequest> = {}) {
  const folder = makeFolder();
  const stderrFile = join(folder, 'err');
  const child = spawnAgent({
    command: '/bin/sh',
    args: ['-c', script],
    cwd: folder,
    env: { PATH: process.env['PATH'] ?? '' },
    stderrFile,
    ...more,
  });
  const output: string[] = [];
  child.stdout.on('data', (chunk: Buffer) => void output.push(String(chunk)));
  if (child.pid !== undefined) endAfterTest(child.pid);
  return { child, output, folder, stderrFile };
}

describe('spawnAgent', () => {
  it('connects stdin and stdout by pipes, and stderr to a private file', async () => {
    const { child, output, stderrFile } = start('read a; echo "got $a"; echo oops >&2; exit 7');
    child.stdin.write('hello\n');
    expect(await child.exited).toEqual({ exitCode: 7, signal: undefined, spawnErrno: undefined });
    expect(output.join('')).toBe('got hello\n');
    expect(readFileSync(stderrFile, 'utf8')).toBe('oops\n');
    expect(statSync(stderrFile).mode & 0o777).toBe(0o600);
  });

  it('passes the given environment and folder, and inherits nothing', async () => {
    const { child, output, folder } = start('pwd; echo "[$ONLY][$HOME]"', {
      env: { ONLY: 'this' },
    });
    await child.exited;
    expect(output.join('')).toBe(`${folder}\n[this][]\n`);
  });

  it('starts a process group of its own, and keeps this process alive only if needed', async () => {
    const { child } = start('exec sleep 30');
    const { pid = 0 } = child;
    expect(readProcessTable().find((entry) => entry.pid === pid)?.groupId).toBe(pid);
    child.keepAlive(false);
    child.keepAlive(true);
    process.kill(pid, 'SIGTERM');
    expect(await child.exited).toMatchObject({ exitCode: undefined, signal: 'SIGTERM' });
  });

  it('ignores writes to stdin after the exit', async () => {
    const { child } = start('exit 0');
    await child.exited;
    child.stdin.write('x\n');
    child.stdin.end();
    await new Promise((resolve) => setTimeout(resolve, 20));
  });

  it('reports the exit and closes stdout even if a child holds stdout open', async () => {
    const { child, output } = start('sleep 30 & echo $!; exit 3');
    expect(await child.exited).toMatchObject({ exitCode: 3 });
    endAfterTest(Number(output.join('')));
    await new Promise(setImmediate);
    expect(child.stdout.destroyed).toBe(true);
  });

  it('delivers the whole stdout before the exit', async () => {
    const { child, output } = start('head -c 3000000 /dev/zero | tr "\\0" x');
    await child.exited;
    expect(output.join('')).toHaveLength(3_000_000);
  });

  it.each([
    ['a missing program', { command: '/no/such/agent' }, 'ENOENT'],
    ['a missing folder', { cwd: '/no/such/folder' }, 'ENOENT'],
    ['a file that is no program', { command: '/etc/passwd' }, 'EACCES'],
  ])('reports the errno for %s', async (_what, more, spawnErrno) => {
    const { child } = start('true', more);
    expect(child.pid).toBeUndefined();
    expect(await child.exited).toMatchObject({ exitCode: undefined, spawnErrno });
  });

  it('leaves no file open after the exit', async () => {
    const countOpen = () => readdirSync('/proc/self/fd').length;
    await start('true').child.exited;
    const before = countOpen();
    for (let round = 0; round < 10; round++) {
      const { child } = start('true');
      await child.exited;
      child.stdin.destroy();
    }
    await expect.poll(countOpen).toBeLessThanOrEqual(before + 1);
  });
});
