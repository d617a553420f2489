import { spawn } from 'node:child_process';
import { expect, it, onTestFinished, vi } from 'vitest';
import { findCliAmong } from '../../../src/remote/desk/find-cli-process.js';
import { openProcesses, readPsTable } from '../../../src/remote/desk/read-process.js';
import { readStartMode } from '../../../src/remote/desk/start-mode.js';
import { openTmux, untilRuns } from '../tmux/open-tmux.js';

const WAIT = 'setInterval(() => {}, 1000)';

/** Runs a program like the CLI in a terminal, and returns its pid. */
async function runInTerminal(...args: readonly string[]): Promise<number> {
  const run = openTmux();
  const program = [process.execPath, '-e', WAIT, '--', ...args];
  const format = ['-P', '-F', '#{pane_pid}'];
  const pid = Number(await run(['new-session', '-d', ...format, '--', ...program]));
  await untilRuns(pid, process.execPath);
  return pid;
}

it('ps tells the arguments and the terminal of a CLI, and so its mode, where /proc is missing', async () => {
  const pid = await runInTerminal('gemini', '--approval-mode', 'auto_edit');
  await vi.waitFor(async () => expect((await readPsTable()).get(pid)?.args).toContain('gemini'));
  const table = await readPsTable();
  const found = findCliAmong((one) => table.get(one), pid);
  expect(found).toMatchObject({ cli: { pid }, isInteractive: true });
  expect(readStartMode(found?.args ?? [], undefined, '/')).toBe('auto_edit');
  expect(table.get(process.pid)?.parentPid).toBe(process.ppid);
});

it.runIf(process.platform === 'linux')(
  'a CLI is interactive if it reads from a terminal, and has no prompt to answer without a screen',
  async () => {
    const read = await openProcesses();
    const child = spawn(process.execPath, ['-e', WAIT], { stdio: 'ignore' });
    onTestFinished(() => void child.kill('SIGKILL'));
    expect(read(child.pid ?? 0)).toMatchObject({ parentPid: process.pid, isInteractive: false });
    expect((await readPsTable()).get(child.pid ?? 0)?.args).toContain('-e');
    const person = await runInTerminal('gemini', '-i', 'do -p');
    await vi.waitFor(() => expect(read(person)?.args).toContain('do -p'));
    expect(read(person)?.isInteractive).toBe(true);
    for (const flag of ['-p', '--prompt=hello']) {
      const program = await runInTerminal('gemini', flag, 'hello');
      await vi.waitFor(() => expect(read(program)?.args).toContain(flag));
      expect(read(program)?.isInteractive).toBe(false);
    }
    expect(read(2 ** 30)).toBeUndefined();
  },
);
