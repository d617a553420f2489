import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readProcessTable } from '../../../src/base/process/process-table.js';
import { type SpawnAgentRequest, spawnAgent } from '../../../src/base/process/spawn-agent.js';
import { endAfterTest, makeFolder } from '../../fixtures/cli/support.js';

/** A shell that runs this script, and what it has said so far. */
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
  const said: string[] = [];
  child.stdout.on('data', (chunk: Buffer) => void said.push(String(chunk)));
  if (child.pid !== undefined) endAfterTest(child.pid);
  return { child, said, folder, stderrFile };
}

describe('an agent that was started', () => {
  it('is talked to by its streams, with stderr in a file that only we can read', async () => {
    const { child, said, stderrFile } = start('read a; echo "got $a"; echo oops >&2; exit 7');
    child.stdin.write('hello\n');
    expect(await child.exited).toEqual({ exitCode: 7, signal: undefined, spawnErrno: undefined });
    expect(said.join('')).toBe('got hello\n');
    expect(readFileSync(stderrFile, 'utf8')).toBe('oops\n');
    expect(statSync(stderrFile).mode & 0o777).toBe(0o600);
  });

  it('has the environment and the folder it was given, and nothing of ours', async () => {
    const { child, said, folder } = start('pwd; echo "[$ONLY][$HOME]"', { env: { ONLY: 'this' } });
    await child.exited;
    expect(said.join('')).toBe(`${folder}\n[this][]\n`);
  });

  it('leads a group of its own, and does not keep us alive unless it should', async () => {
    const { child } = start('exec sleep 30');
    const { pid = 0 } = child;
    expect(readProcessTable().find((entry) => entry.pid === pid)?.groupId).toBe(pid);
    child.keepAlive(false);
    child.keepAlive(true);
    process.kill(pid, 'SIGTERM');
    expect(await child.exited).toMatchObject({ exitCode: undefined, signal: 'SIGTERM' });
  });

  it('may be written to after its end without harm', async () => {
    const { child } = start('exit 0');
    await child.exited;
    child.stdin.write('x\n');
    child.stdin.end();
    await new Promise((resolve) => setTimeout(resolve, 20));
  });

  it('is over when it has gone, although its output is held open, and says nothing more', async () => {
    const { child, said } = start('sleep 30 & echo $!; exit 3');
    expect(await child.exited).toMatchObject({ exitCode: 3 });
    endAfterTest(Number(said.join('')));
    await new Promise(setImmediate);
    expect(child.stdout.destroyed).toBe(true);
  });

  it('is heard to the end of what it said', async () => {
    const { child, said } = start('head -c 3000000 /dev/zero | tr "\\0" x');
    await child.exited;
    expect(said.join('')).toHaveLength(3_000_000);
  });

  it.each([
    ['a missing program', { command: '/no/such/agent' }, 'ENOENT'],
    ['a missing folder', { cwd: '/no/such/folder' }, 'ENOENT'],
    ['a file that is no program', { command: '/etc/passwd' }, 'EACCES'],
  ])('in vain, because of %s, tells why', async (_what, more, spawnErrno) => {
    const { child } = start('true', more);
    expect(child.pid).toBeUndefined();
    expect(await child.exited).toMatchObject({ exitCode: undefined, spawnErrno });
  });

  it('and gone leaves no file open', async () => {
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
