import { execFileSync } from 'node:child_process';
import { type BatchOptions, runBatch } from 'gemini-cli-provider/batch';
import { expect, vi } from 'vitest';
import { createScriptedProvider } from './programs/scripted-provider.mjs';
import { mountRemoteFolder } from './remote-folder.js';
import { makeFolder, read } from './support.js';

export const ISOLATIONS = ['shared', 'worktree', 'copy'] as const;

export interface SlowBatch {
  readonly isolation: (typeof ISOLATIONS)[number];
  /** Time after which the file system answers a request. */
  readonly delayMs: number;
  /** Agent of the step, which writes the file `go.txt`. Without it, an agent inside of this process. */
  readonly provider?: BatchOptions['provider'];
}

/** Opens a repository on a slow file system, and a plan with one step in it. */
async function openSlowBatch({ isolation, delayMs, provider }: SlowBatch, stepMs: number) {
  const remote = await mountRemoteFolder({ 'a.txt': 'a\n', 'sub/deep/b.txt': 'b\n' });
  const author = ['-c', 'user.name=a', '-c', 'user.email=a@example.com'];
  const commands = [
    ['init', '-q'],
    ['add', '.'],
    ['commit', '-qm', 'first'],
  ];
  for (const args of commands) execFileSync('git', ['-C', remote.source, ...author, ...args]);
  await remote.slowDown(delayMs);
  const steps = [{ id: 'one', prompt: 'go', workingDir: remote.folder, isolation }];
  const options = { out: makeFolder(), state: makeFolder() };
  const start = () => {
    if (provider !== undefined) return runBatch({ steps }, { ...options, provider });
    const scripted = createScriptedProvider(stepMs);
    // @ts-expect-error: the provider has only the members that a batch uses.
    return runBatch({ steps }, { ...options, provider: scripted });
  };
  return { ...remote, start };
}

function listWorktrees(source: string): string[] {
  const list = execFileSync('git', ['-C', source, 'worktree', 'list'], { encoding: 'utf8' });
  return list.trimEnd().split('\n');
}

/** Runs a batch on a slow file system. The result must be that of a quick one. */
export async function expectSlowSuccess(given: SlowBatch): Promise<void> {
  const { source, start } = await openSlowBatch(given, 0);
  const { outcome, files, warnings } = await start();
  expect({ outcome, warnings }).toEqual({ outcome: 'succeeded', warnings: [] });
  expect(files.map(({ path, kind }) => `${path} ${kind}`)).toEqual(['go.txt created']);
  expect(read(source, 'go.txt')).toContain('go');
  expect(listWorktrees(source)).toHaveLength(1);
}

/** Waits until the worktree of the step is removed, by the process that isolates steps. */
async function expectNoWorktree(source: string): Promise<void> {
  const waiting = { timeout: 600_000, interval: 200 };
  await vi.waitFor(() => expect(listWorktrees(source)).toHaveLength(1), waiting);
}

/** Cancels a batch on a slow file system at its first event of a type. Nothing may be left behind. */
export async function expectSlowCancel(
  given: SlowBatch,
  type: 'step-started' | 'step-progress',
): Promise<void> {
  const { source, start } = await openSlowBatch(given, 600_000);
  const run = start();
  for await (const event of run) if (event.type === type) run.cancel();
  expect(await run).toMatchObject({ outcome: 'stopped', counts: { succeeded: 0 } });
  await expectNoWorktree(source);
}

/** Time after which a file system answers that is too slow to wait for. */
const VERY_SLOW_MS = 700;

/**
 * Makes the file system very slow while a step works in its worktree, and cancels. The report may not wait for the file
 * system: the patch is kept, and the worktree removed, when the file system is quick again.
 */
export async function expectCancelBeforeCleanUp(): Promise<void> {
  const slow = await openSlowBatch({ isolation: 'worktree', delayMs: 0 }, 600_000);
  const run = slow.start();
  for await (const event of run) {
    if (event.type !== 'step-progress') continue;
    await slow.slowDown(VERY_SLOW_MS);
    run.cancel();
  }
  expect(await run).toMatchObject({
    outcome: 'stopped',
    warnings: [{ code: 'LEFTOVERS_KEPT', steps: ['one'] }],
  });
  expect(listWorktrees(slow.source)).toHaveLength(2);
  await slow.slowDown(0);
  await expectNoWorktree(slow.source);
}

/** Cancels a batch while a very slow file system delays the merge of its step. The next run merges the saved changes. */
export async function expectCancelBeforeMerge(): Promise<void> {
  const slow = await openSlowBatch({ isolation: 'worktree', delayMs: 0 }, 0);
  const run = slow.start();
  for await (const event of run) {
    if (event.type !== 'step-waiting' || event.waitsFor !== 'merging') continue;
    await slow.slowDown(VERY_SLOW_MS);
    run.cancel();
  }
  expect(await run).toMatchObject({ outcome: 'stopped', counts: { succeeded: 0, merging: 1 } });
  await slow.slowDown(0);
  const next = await slow.start();
  expect(next.outcome).toBe('succeeded');
  expect(next.steps[0]?.attempts).toHaveLength(1);
  expect(read(slow.source, 'go.txt')).toBe('go');
}
