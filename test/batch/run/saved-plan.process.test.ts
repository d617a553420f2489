import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import type { BatchEvent } from '../../../src/api/batch-event.js';
import type { BatchOptions } from '../../../src/api/batch-options.js';
import type { PlanStep } from '../../../src/api/batch-plan.js';
import { expandPlan } from '../../../src/batch/plan/expand-plan.js';
import { describeOutlook } from '../../../src/batch/run/describe-outlook.js';
import { followBatch } from '../../../src/batch/run/follow-batch.js';
import { planRun } from '../../../src/batch/run/plan-run.js';
import { readBatch } from '../../../src/batch/run/read-batch.js';
import { runBatch } from '../../../src/batch/run/run-batch.js';
import { addBatchCommand } from '../../../src/cli/batch/batch.js';
import { BatchProgress } from '../../../src/cli/batch/batch-progress.js';
import { describeFinishing } from '../../../src/cli/batch/batch-rows.js';
import { collectStatus } from '../../../src/cli/batch/collect-status.js';
import { describeStatus } from '../../../src/cli/batch/describe-status.js';
import { createPaint } from '../../../src/cli/output/paint.js';
import { makeTree } from '../../base/fs/make-tree.js';
import { runCommandHere } from '../../fixtures/cli/in-process.js';
import { failAt } from './fail-ledger.js';
import { createScriptedProvider } from './scripted-provider.js';

/** `second` needs `first`, whose changes are saved by a batch that crashes before their merge. */
const STEPS: readonly PlanStep[] = [
  { id: 'first', prompt: 'first', inputs: ['in.txt'] },
  { id: 'second', prompt: 'after {{steps.first.text}}', needs: ['first'] },
  { id: 'other', prompt: 'other', needs: ['second'] },
];

type Options = Pick<BatchOptions, 'only' | 'from' | 'skip' | 'retryFailed'>;

async function openSaved() {
  const folder = makeTree({ 'in.txt': 'in' });
  const out = join(makeTree(), 'out');
  const provider = createScriptedProvider(({ prompt }) => ({
    text: `said ${prompt}`,
    write: { [`${prompt.replaceAll(' ', '-')}.txt`]: prompt },
    tokens: 7,
  }));
  const options = { out, provider };
  const expand = (given: readonly PlanStep[]) => {
    const defaults = { workingDir: folder, isolation: 'copy' as const };
    return expandPlan({ name: 'n', defaults, steps: given }, { baseDir: folder });
  };
  const run = async (given = STEPS, more: Options = {}) => {
    const batch = runBatch(await expand(given), { ...options, ...more });
    const events: BatchEvent[] = [];
    for await (const event of batch) events.push(event);
    return { report: await batch, events };
  };
  const foresee = async (given = STEPS, more: Options = {}) => {
    const plan = await expand(given);
    const { outlook } = await planRun(plan, { ...options, ...more });
    return describeOutlook(plan, outlook).join('\n');
  };
  const repair = failAt('done');
  await expect(run()).rejects.toThrow('crash');
  repair();
  const prompts = () => provider.calls.map(({ prompt }) => prompt);
  expect(prompts()).toEqual(['first']);
  return { folder, out, run, foresee, prompts };
}

const states = ({ steps }: { steps: readonly { id: string; state: string }[] }) => {
  return Object.fromEntries(steps.map(({ id, state }) => [id, state]));
};

describe('changes that an earlier run has saved', () => {
  it('are merged, which the dry run foresees and the live view shows', async () => {
    const { run, foresee, prompts, out } = await openSaved();
    const text = await foresee();
    expect(text).toContain('n: 3 steps · 2 run · 1 merge');
    expect(text).toContain('first: merge (finished in an earlier run)');
    expect(text).toContain('second: run (new)');
    const status = await collectStatus(await readBatch(out), Date.now());
    expect(status.counts).toMatchObject({ merging: 1, pending: 2 });
    expect(describeStatus(status, createPaint(false), Date.now())).toMatch(
      /→ first .* finished, the next run merges it/,
    );
    const { events, report } = await run();
    expect(report.outcome).toBe('succeeded');
    expect(prompts()).toEqual(['first', 'after said first', 'other']);
    const ofFirst = events.filter((event) => 'stepId' in event && event.stepId === 'first');
    expect(ofFirst.map(({ type }) => type)).toEqual(['step-waiting', 'step-finished']);
    const progress = new BatchProgress(0);
    const shown = new Set<string | undefined>();
    for (const event of events) {
      progress.accept(event, 60_000);
      if ('stepId' in event && event.stepId === 'first') shown.add(describeFinishing(progress));
    }
    expect([...shown]).toEqual(['  merging first', undefined]);
    // The tokens of the first step belong to the earlier run, as does its work.
    expect(progress).toMatchObject({ finished: 3, tokens: 14 });
    expect(progress.stepsPerMinute(120_000)).toBe(2);
  });

  it.each([
    ['prompt changed', STEPS.map((step, at) => (at === 0 ? { ...step, prompt: 'new' } : step))],
    [
      'configuration changed: model',
      STEPS.map((step, at) => (at === 0 ? { ...step, model: 'm' } : step)),
    ],
  ])('are dropped, and both dry run and run say why: %s', async (why, steps) => {
    const { run, foresee } = await openSaved();
    expect(await foresee(steps)).toContain(`first: run (${why})`);
    const { events } = await run(steps);
    const started = events.find(({ type }) => type === 'step-started');
    expect(started).toMatchObject({ stepId: 'first', reason: why.split(' ')[0] });
  });

  it('are dropped if an input has changed, and the reason names the file', async () => {
    const { run, foresee, folder } = await openSaved();
    writeFileSync(join(folder, 'in.txt'), 'changed');
    expect(await foresee()).toContain('first: run (input changed: in.txt)');
    const { events } = await run();
    expect(events.find(({ type }) => type === 'step-started')).toMatchObject({
      reason: 'inputs',
      changed: [join(folder, 'in.txt')],
    });
  });

  it('are damaged: the step runs again and says so', async () => {
    const { run, out, foresee } = await openSaved();
    const { folders } = await readBatch(out);
    const saved = join(folders.stateDir, 'saved');
    for (const name of readdirSync(saved)) {
      if (name.endsWith('.json')) writeFileSync(join(saved, name), '{}');
    }
    expect(await foresee()).toContain('first: run (result was damaged)');
    const { events } = await run();
    expect(events.find(({ type }) => type === 'step-started')).toMatchObject({ reason: 'damaged' });
  });

  it('are merged by a run that retries what has failed', async () => {
    const { run, foresee, prompts } = await openSaved();
    expect(await foresee(STEPS, { retryFailed: true })).toContain('1 merge · 2 skip');
    const { report } = await run(STEPS, { retryFailed: true });
    expect(states(report)).toEqual({ first: 'succeeded', second: 'skipped', other: 'skipped' });
    expect(prompts()).toEqual(['first']);
  });

  it('are merged if a selected step needs them', async () => {
    const { run, foresee, prompts } = await openSaved();
    const text = await foresee(STEPS, { only: 'second' });
    expect(text).toContain('first: merge');
    expect(text).toContain('Not selected, but a selected step needs it: first');
    const { report } = await run(STEPS, { only: 'second' });
    expect(states(report)).toEqual({ first: 'succeeded', second: 'succeeded', other: 'skipped' });
    expect(report.warnings).toMatchObject([{ code: 'NEEDS_ADDED', steps: ['first'] }]);
    expect(prompts()).toEqual(['first', 'after said first']);
  });

  it('stay saved if the run leaves their step out, and the next run merges them', async () => {
    const steps = [...STEPS, { id: 'alone', prompt: 'alone' }];
    const { run, foresee, prompts, folder, out } = await openSaved();
    expect(await foresee(steps, { only: 'alone' })).toContain('first: skip (not selected)');
    const { report } = await run(steps, { only: 'alone' });
    expect(report.outcome).toBe('succeeded');
    expect(states(report)).toMatchObject({ first: 'merging', alone: 'succeeded' });
    expect(readdirSync(folder)).not.toContain('first.txt');
    const status = await collectStatus(await readBatch(out), Date.now());
    expect(status).toMatchObject({
      state: 'ended',
      running: [{ id: 'first', state: 'merging', activity: 'finished, the next run merges it' }],
    });
    const { report: last } = await run(steps);
    expect(last.outcome).toBe('succeeded');
    expect(readFileSync(join(folder, 'first.txt'), 'utf8')).toBe('first');
    expect(prompts().filter((prompt) => prompt === 'first')).toHaveLength(1);
  });

  it('stay saved while the condition of their step is false', async () => {
    const { run, foresee, prompts } = await openSaved();
    const never = STEPS.map((step, at) => (at === 0 ? { ...step, when: '1 == 2' } : step));
    expect(await foresee(never)).toMatch(/first: skip \(The condition is false: .*\)/);
    const { report } = await run(never);
    expect(states(report)).toEqual({ first: 'skipped', second: 'skipped', other: 'skipped' });
    expect(report.outcome).toBe('succeeded');
    expect(await foresee()).toContain('first: merge');
    expect((await run()).report.outcome).toBe('succeeded');
    expect(prompts()).toEqual(['first', 'after said first', 'other']);
  });

  it('may be dropped if a step before theirs runs again', async () => {
    const steps = [{ id: 'zero', prompt: 'zero' }, ...STEPS.slice(0, 1)].map((step) => {
      return step.id === 'first' ? { ...step, needs: ['zero'] } : step;
    });
    const folder = makeTree({ 'in.txt': 'in' });
    const provider = createScriptedProvider(() => ({ text: 'same', write: { 'x.txt': 'x' } }));
    const options = { out: join(makeTree(), 'out'), provider };
    const expand = (given: readonly PlanStep[]) => {
      return expandPlan({ name: 'n', steps: given }, { baseDir: folder });
    };
    const isolated = steps.map((step) => {
      return step.id === 'first' ? { ...step, isolation: 'copy' as const } : step;
    });
    await runBatch(await expand(isolated.slice(0, 1)), options);
    const repair = failAt('done');
    await expect(runBatch(await expand(isolated), options)).rejects.toThrow('crash');
    repair();
    const changed = isolated.map((step) => (step.id === 'zero' ? { ...step, prompt: 'z' } : step));
    const plan = await expand(changed);
    const { outlook } = await planRun(plan, options);
    expect(outlook.steps).toMatchObject([
      { id: 'zero', action: 'run' },
      { id: 'first', action: 'may run', message: 'depends on zero' },
    ]);
  });
});

it('a step that waits for its merge is shown by status and watch, which ends with its terminal', async () => {
  let release = (): void => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const provider = createScriptedProvider(async ({ prompt }) => {
    if (prompt === 'slow') await held;
    return { write: { [`${prompt}.txt`]: prompt } };
  });
  const folder = makeTree();
  const out = join(makeTree(), 'out');
  const defaults = { workingDir: folder, isolation: 'copy' as const };
  const steps = ['slow', 'quick'].map((id) => ({ id, prompt: id }));
  const options = { out, provider, baseDir: folder, mergeOrder: 'plan' as const };
  const batch = runBatch({ name: 'n', defaults, steps }, options);
  for await (const event of batch) {
    if (event.type !== 'step-waiting') continue;
    if (event.waitsFor !== 'merge') continue;
    const read = await readBatch(out);
    expect(await collectStatus(read, Date.now())).toMatchObject({
      counts: { running: 1, merging: 1 },
      running: [
        { id: 'slow', state: 'running' },
        { id: 'quick', state: 'merging', activity: 'waits for its merge' },
      ],
    });
    const before = process.listenerCount('SIGHUP');
    const watching = runCommandHere(addBatchCommand, ['batch', 'watch', out]);
    await vi.waitFor(() => expect(process.listenerCount('SIGHUP')).toBeGreaterThan(before));
    process.listeners('SIGHUP').at(-1)?.('SIGHUP');
    expect((await watching).code).toBe(129);
    const progress = new BatchProgress(0);
    const waiting: string[] = [];
    for await (const followed of followBatch(read.folders, new AbortController().signal)) {
      progress.accept(followed.event, 0);
      if (followed.event.type !== 'step-waiting') continue;
      waiting.push(followed.event.stepId);
      const count = waiting.length;
      expect(describeFinishing(progress)).toBe(`  ${count} finished, waiting to be merged`);
      release();
    }
    expect(waiting).toEqual(['quick', 'slow']);
    expect(progress.counts.succeeded).toBe(2);
  }
  expect((await batch).outcome).toBe('succeeded');
});
