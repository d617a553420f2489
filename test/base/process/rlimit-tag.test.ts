import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { ProcessTree } from '../../../src/base/process/process-tree.js';
import { isTagged, tagProcess } from '../../../src/base/process/rlimit-tag.js';
import { endAfterTest, isAlive, until } from '../../fixtures/cli/support.js';

/** Waits for a line, then starts a daemon without parent, session and environment, which prints its pid. */
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
    const [output] = await once(shell.stdout, 'data');
    endAfterTest(Number(output));
    await until(() => !isAlive(pid));
    return Number(output);
  };
  return { pid, becomeDaemon };
}

describe('an RLIMIT tag', () => {
  it('stays on a daemon without parent, session or environment', async () => {
    const [tag, otherId] = [randomUUID(), randomUUID()];
    const { pid, becomeDaemon } = startShell();
    expect(isTagged(pid, tag)).toBe(false);
    expect(await tagProcess(pid, tag)).toBe(true);
    expect(isTagged(pid, tag)).toBe(true);
    const daemon = await becomeDaemon();
    expect(new ProcessTree({ tag: tag }).living()).toMatchObject([{ pid: daemon }]);
    expect(new ProcessTree({ tag: otherId }).living()).toEqual([]);
  });

  it('is not set if prlimit is missing or the process does not exist', async () => {
    const tag = randomUUID();
    const { pid } = startShell();
    expect(await tagProcess(undefined, tag)).toBe(false);
    expect(await tagProcess(2 ** 22 + 1, tag)).toBe(false);
    vi.stubEnv('PATH', '/nowhere');
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(await tagProcess(pid, tag)).toBe(false);
    expect(isTagged(pid, tag)).toBe(false);
    expect(isTagged(2 ** 22 + 1, tag)).toBe(false);
  });
});
