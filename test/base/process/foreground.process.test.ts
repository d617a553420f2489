import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { isInForeground } from '../../../src/base/process/process-table.js';
import { openTmux } from '../../remote/tmux/open-tmux.js';

/** Runs a program in a shell with job control, as in the terminal of a person. */
async function startInShell() {
  const run = openTmux();
  const file = join(mkdtempSync(join(tmpdir(), 'foreground-')), 'pid');
  await run(['new-session', '-d', '-x', '200', '-y', '20', 'bash --norc --noprofile -i']);
  const type = (text: string, ...keys: readonly string[]) =>
    run(['send-keys', '-l', text]).then(() => run(['send-keys', ...keys]));
  await type(`sh -c 'echo $$ > ${file}; exec sleep 1000'`, 'Enter');
  const pid = await vi.waitUntil(
    () => {
      try {
        return Number(readFileSync(file, 'utf8').trim());
      } catch {
        return 0;
      }
    },
    { timeout: 20_000 },
  );
  return { run, type, pid };
}

it('a program has the keys of its terminal until it is stopped, and again when it goes on there', async () => {
  const { run, type, pid } = await startInShell();
  const becomes = (isWanted: boolean) =>
    vi.waitUntil(() => isInForeground(pid) === isWanted, { timeout: 20_000 });
  await becomes(true);
  await run(['send-keys', 'C-z']);
  await becomes(false);
  await type('fg', 'Enter');
  await becomes(true);
  await run(['send-keys', 'C-z']);
  await becomes(false);
  await type('bg', 'Enter');
  expect(isInForeground(pid)).toBe(false);
  process.kill(pid, 'SIGKILL');
  expect(await vi.waitUntil(() => !isInForeground(pid))).toBe(true);
});

it('a program without a terminal is in front as long as it lives', async () => {
  const child = spawn('sleep', ['1000'], { stdio: 'ignore', detached: true });
  onTestFinished(() => void child.kill('SIGKILL'));
  const pid = child.pid ?? 0;
  expect(isInForeground(pid)).toBe(true);
  child.kill('SIGKILL');
  await new Promise((resolve) => child.once('exit', resolve));
  expect(isInForeground(pid)).toBe(false);
});
