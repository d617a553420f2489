import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { spawnAgent } from '../../../src/base/process/spawn-agent.js';
import { spawnWithFiles } from '../../../src/base/process/spawn-with-files.js';
import { startChild } from '../../../src/base/process/start-child.js';
import { endAfterTest, makeFolder } from '../../fixtures/cli/support.js';

/** Records the calls of `statSync` by any code of this thread. */
function recordStats() {
  const calls = vi.spyOn(fs, 'statSync');
  syncBuiltinESMExports();
  return calls;
}

afterEach(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

const env = { PATH: process.env['PATH'] ?? '' };
const SLEEP = { command: '/bin/sh', args: ['-c', 'exec sleep 30'], env };

describe('a process that fails', () => {
  it('leads to no question about its folder, which waits for ever on a dead file system', async () => {
    const cwd = makeFolder({ in: '' });
    const stats = recordStats();
    const starts = [
      () =>
        spawnWithFiles({
          ...SLEEP,
          cwd,
          stdinFile: join(cwd, 'in'),
          stdoutFile: join(cwd, 'out'),
          stderrFile: join(cwd, 'err'),
        }),
      () => spawnAgent({ ...SLEEP, cwd, stderrFile: join(cwd, 'err') }),
    ];
    for (const start of [...starts, ...starts, ...starts, ...starts, ...starts]) {
      const { pid = 0, exited } = start();
      endAfterTest(pid);
      process.kill(pid, 'SIGKILL');
      expect(await exited).toMatchObject({ signal: 'SIGKILL' });
    }
    expect(stats.mock.calls.map(([path]) => String(path))).not.toContain(cwd);
  });

  it('keeps its pipes readable and writable if the system refuses the start at once', async () => {
    const child = startChild({
      command: '/bin/sh',
      args: ['-c', 'x'.repeat(200_000)],
      cwd: makeFolder(),
      env,
      stdio: 'pipe',
    });
    expect(child.pid).toBeUndefined();
    child.stdin.write('lost');
    expect(await child.stdout.toArray()).toEqual([]);
    expect(await child.closed).toMatchObject({ spawnErrno: 'E2BIG' });
  });
});
