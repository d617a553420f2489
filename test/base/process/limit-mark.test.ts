import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { isMarked, markProcess } from '../../../src/base/process/limit-mark.js';
import { ProcessFamily } from '../../../src/base/process/process-family.js';
import { endAfterTest, isAlive, until } from '../../fixtures/cli/support.js';

/** Waits for a line, then leaves a daemon behind that has shed everything, and prints its pid. */
const DAEMON = `read go; (env -i setsid sh -c 'echo $$; exec sleep 30 >/dev/null' &)`;

function startShell() {
  const shell = spawn('sh', ['-c', DAEMON], {
    stdio: ['pipe', 'pipe', 'ignore'],
    detached: true,
  });
  const { pid = 0 } = shell;
  endAfterTest(pid);
  const becomeDaemon = async (): Promise<number> => {
    shell.stdin.end('go\n');
    const [said] = await once(shell.stdout, 'data');
    endAfterTest(Number(said));
    await until(() => !isAlive(pid));
    return Number(said);
  };
  return { pid, becomeDaemon };
}

describe('the mark of a run', () => {
  it('stays on a daemon without parent, session or environment', async () => {
    const [runId, otherId] = [randomUUID(), randomUUID()];
    const { pid, becomeDaemon } = startShell();
    expect(isMarked(pid, runId)).toBe(false);
    expect(await markProcess(pid, runId)).toBe(true);
    expect(isMarked(pid, runId)).toBe(true);
    const daemon = await becomeDaemon();
    expect(new ProcessFamily({ runId }).living()).toMatchObject([{ pid: daemon }]);
    expect(new ProcessFamily({ runId: otherId }).living()).toEqual([]);
  });

  it('is missing where there is no prlimit, no process, or one that has gone: that does no harm', async () => {
    const runId = randomUUID();
    const { pid } = startShell();
    expect(await markProcess(undefined, runId)).toBe(false);
    expect(await markProcess(2 ** 22 + 1, runId)).toBe(false);
    vi.stubEnv('PATH', '/nowhere');
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(await markProcess(pid, runId)).toBe(false);
    expect(isMarked(pid, runId)).toBe(false);
    expect(isMarked(2 ** 22 + 1, runId)).toBe(false);
  });
});
