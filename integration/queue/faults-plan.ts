import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runBatch } from 'gemini-cli-provider/batch';
import { expect } from 'vitest';
import { createQueueAgent } from '../programs/queue-agent.mjs';
import { makeFolder } from '../support.js';

/** Registers what is done after the test. */
export type Cleanup = (end: () => void | Promise<void>) => void;

export interface FaultPlan {
  readonly name: string;
  readonly mergeOrder: string;
  readonly defaults: Readonly<Record<string, unknown>>;
  readonly steps: readonly {
    readonly id: string;
    readonly prompt: string;
    readonly needs?: string[];
  }[];
}

/**
 * Every fifth step appends to one file and needs the one before it, so that a step that ran twice shows in the file. The
 * last step waits for a file, so that the batch is at work until all faults have happened.
 */
export function makePlan(count: number, stepMs: number, lastWaitsFor: string): FaultPlan {
  const steps = Array.from({ length: count }, (_, index) => {
    const id = `s${index}`;
    const isLink = index % 5 === 4;
    const shared = isLink ? ` log.txt+=${id}` : '';
    const prompt = `step=${id} wait=${stepMs} out/${id}.txt=${id}${shared} out/more-${id}.txt+=${id}${index === count - 1 ? ` until=${lastWaitsFor}` : ''}`;
    return { id, prompt, ...(isLink && index > 4 ? { needs: [`s${index - 5}`] } : {}) };
  });
  return {
    name: 'faults',
    mergeOrder: 'plan',
    defaults: { isolation: 'worktree', retries: 0 },
    steps,
  };
}

export function makeWorkspace(cleanup: Cleanup): string {
  const workspace = makeFolder({ 'log.txt': 'begin\n', 'src/kept.txt': 'kept\n' }, cleanup);
  const git = (...args: string[]) => execFileSync('git', ['-C', workspace, ...args]);
  git('init', '-q');
  git('add', '-A');
  git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-qm', 'first');
  // Uncommitted changes travel, too.
  writeFileSync(join(workspace, 'src/kept.txt'), 'changed\n');
  return workspace;
}

/** Runs the plan on one machine. Returns the files. */
export async function runUndisturbed(
  plan: FaultPlan,
  cleanup: Cleanup,
): Promise<Record<string, string>> {
  const workspace = makeWorkspace(cleanup);
  const out = join(makeFolder({}, cleanup), 'out');
  const steps = plan.steps.map((step) => ({
    ...step,
    prompt: step.prompt.replace(/wait=\d+/, 'wait=1').replace(/ until=\S+/, ''),
  }));
  const provider = createQueueAgent();
  const { outcome } = await runBatch(
    // @ts-expect-error: the plan is built above.
    { ...plan, steps, defaults: { ...plan.defaults, workingDir: workspace } },
    { out, provider, concurrency: 6 },
  );
  expect(outcome).toBe('succeeded');
  return hashFiles(workspace);
}

/** Returns the hash of each file that git does not ignore, by its path. */
export function hashFiles(folder: string): Record<string, string> {
  const list = execFileSync('git', ['-C', folder, 'ls-files', '-co', '--exclude-standard', '-z']);
  const names = String(list)
    .split('\0')
    .filter((name) => name !== '');
  return Object.fromEntries(
    names.toSorted().map((name) => [
      name,
      createHash('sha256')
        .update(readFileSync(join(folder, name)))
        .digest('hex'),
    ]),
  );
}
