import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import { isProcessAlive } from '../../../src/base/process/process-table.js';
import { endAfterTest, makeFolder } from '../../fixtures/cli/support.js';

const CAPTURE = new URL('../../../.build/base/process/capture-command.js', import.meta.url).href;
const WAIT = { timeout: 20_000, interval: 50 };

/**
 * Starts a host that runs a long command, and returns the pid of the command. `before` runs before the command starts: on a
 * loaded machine the command may run before the next statement of the host.
 */
async function startHost(before: string) {
  const file = join(makeFolder({}), 'pid');
  const program = `
    import { captureCommand } from '${CAPTURE}';
    ${before}
    const script = 'echo $$ > "$0"; exec sleep 60';
    void captureCommand({ command: 'sh', args: ['-c', script, '${file}'], timeoutMs: 60_000 });`;
  const args = ['--input-type=module', '-e', program];
  const host = spawn(process.execPath, args, { stdio: 'inherit' });
  endAfterTest(host.pid ?? 0);
  await vi.waitFor(
    () => expect(existsSync(file) && readFileSync(file, 'utf8')).toMatch(/\n/),
    WAIT,
  );
  const pid = Number(readFileSync(file, 'utf8'));
  endAfterTest(pid);
  return { host, pid };
}

it('a command ends with process.exit of its host', async () => {
  const { host, pid } = await startHost("process.on('SIGTERM', () => process.exit(0));");
  expect(isProcessAlive(pid)).toBe(true);
  host.kill('SIGTERM');
  await once(host, 'exit');
  await vi.waitFor(() => expect(isProcessAlive(pid)).toBe(false), WAIT);
});

it('the reaper ends a long command of a host that was killed', async () => {
  const { host, pid } = await startHost('');
  // A command gets a reaper after one second, which then has to start.
  await sleep(3_000);
  host.kill('SIGKILL');
  await vi.waitFor(() => expect(isProcessAlive(pid)).toBe(false), WAIT);
});
