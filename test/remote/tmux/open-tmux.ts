import { randomUUID } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished, vi } from 'vitest';
import { findTmux } from '../../../.config/tmux-binary.mjs';
import { openProcesses } from '../../../src/remote/desk/read-process.js';
import { createTmux, type RunTmux } from '../../../src/remote/tmux/run-tmux.js';

/**
 * Prepares a tmux of its own, whose sockets lie in a temporary folder, and which ends with the test.
 *
 * @param name name of the server
 */
export function openTmux(name = `test-${randomUUID()}`): RunTmux {
  const { command, env } = findTmux();
  const folder = mkdtempSync(join(tmpdir(), 'tmux-'));
  for (const [variable, value] of Object.entries({ ...env, TMUX_TMPDIR: folder }))
    vi.stubEnv(variable, value);
  const run = createTmux({ name }, command);
  onTestFinished(async () => {
    // Another tmux of the same test may have given the variables back already.
    for (const [variable, value] of Object.entries({ ...env, TMUX_TMPDIR: folder }))
      vi.stubEnv(variable, value);
    await run(['kill-server']).catch(() => '');
    vi.unstubAllEnvs();
  });
  return run;
}

/** Waits until a pane runs its program: tmux tells the pid of a fork of itself, which has its arguments and no terminal yet. */
export async function untilRuns(pid: number, program: string): Promise<void> {
  await vi.waitFor(
    async () => {
      const read = await openProcesses();
      if (read(pid)?.args[0] !== program) throw new Error(`${pid} does not run ${program}`);
    },
    { timeout: 10_000, interval: 10 },
  );
}
