import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { findLabProcesses, openLab } from './support.js';
import { write } from './tool-calls.js';

const CONTROLLER = '/sys/fs/cgroup/memory';

/** Makes a cgroup (version 1) that may hold almost no memory, and returns its folder. */
function makeSmallCgroup(): string {
  const folder = join(CONTROLLER, `out-of-memory-${process.pid}-${Date.now()}`);
  try {
    mkdirSync(folder);
    writeFileSync(join(folder, 'memory.limit_in_bytes'), String(8 * 1024 * 1024));
  } catch (error) {
    throw new Error(`This test needs the memory controller at ${CONTROLLER}, and root: ${error}`);
  }
  onTestFinished(async () => {
    for (let tries = 0; tries < 100 && existsSync(folder); tries++) {
      try {
        rmdirSync(folder);
      } catch {
        await sleep(50);
      }
    }
  });
  return folder;
}

it.each(['headless', 'acp'] as const)(
  'a CLI that the OOM killer ends in the middle of a step is named, and its files are kept (%s)',
  async (transport) => {
    const folder = makeSmallCgroup();
    // All words differ: the CLI would end an answer that repeats itself.
    const words = (n: number) => Array.from({ length: 8_000 }, (_, k) => `word-${n}-${k}`);
    const pieces = Array.from({ length: 400 }, (_, n) => words(n).join(' '));
    const lab = await openLab(
      [
        { toolCalls: [write('a.txt', 'done before')] },
        { text: ['Hello', ...pieces], latencyMs: 2_000 },
      ],
      { config: { transport, approvalMode: 'auto_edit' } },
    );
    let isMoved = false;
    const error: unknown = await (async () => {
      for await (const event of lab.provider.stream('go')) {
        // Memory that a process has already got does not move with it: the long answer must come afterwards. The file must
        // have been written before: a process may be killed as soon as it is in the cgroup.
        if (event.type !== 'tool-completion' || isMoved) continue;
        isMoved = true;
        for (const { pid } of findLabProcesses(lab))
          writeFileSync(join(folder, 'cgroup.procs'), String(pid));
      }
    })().catch((error: unknown) => error);
    expect(readFileSync(join(folder, 'memory.oom_control'), 'utf8')).toMatch(/oom_kill [1-9]/);
    expect(error).toMatchObject({
      code: 'INCOMPLETE',
      retryable: true,
      message: expect.stringContaining('memory'),
      hint: expect.stringContaining('oom-kill'),
      partial: { files: [{ path: 'a.txt', kind: 'created' }] },
    });
  },
);
