import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { BatchEvent } from '../contract/batch-event.js';
import type { BatchOptions } from '../contract/batch-options.js';
import type { ExpandedPlan } from '../contract/batch-plan.js';
import type { BatchReport } from '../contract/batch-report.js';
import { removeLeftovers } from '../isolation/remove-leftovers.js';
import { Baseline } from './baseline.js';
import type { BatchBook } from './batch-book.js';
import { chooseProvider } from './choose-provider.js';
import { type Closers, closeAll, openBook } from './open-book.js';
import { OutFolder } from './out-folder.js';
import { readLimits } from './read-limits.js';
import { recordInto } from './record-into.js';
import { Scheduler } from './scheduler.js';
import { StepRunner } from './step-runner.js';

/** Everything a batch needs while it runs, and what ends it. */
export interface OpenBatch {
  readonly scheduler: Scheduler;
  finish(report: BatchReport): Promise<void>;
  close(): Promise<void>;
}

type Emit = (event: BatchEvent) => void;

export async function openBatch(
  plan: ExpandedPlan,
  options: BatchOptions,
  emit: Emit,
): Promise<OpenBatch> {
  const limits = { ...plan.limits, ...readLimits(options) };
  const closers: Closers = [];
  const close = (): Promise<void> => closeAll(closers);
  try {
    const out = options.out === undefined ? undefined : new OutFolder(resolve(options.out));
    const { book, isFresh } = await openBook(out, options.fresh === true, closers);
    const stateDir = out?.stateDir ?? (await makeStateDir(closers));
    // What a batch that died has left goes before anything else.
    const removed = await removeLeftovers(stateDir);
    const baseline = out && (await openBaseline(out, plan));
    const { provider, dispose } = chooseProvider(options, limits);
    closers.push(dispose);
    await book.write(describePlan(plan));
    const publish = out === undefined ? emit : recordInto(out, emit, closers);
    publish({
      type: 'batch-started',
      name: plan.name,
      planHash: plan.hash,
      steps: plan.steps.map(({ id }) => id),
      isFresh,
    });
    if (removed.length > 0) await warnOfLeftovers(removed, book, publish);
    const scheduler = new Scheduler({
      plan,
      limits,
      book,
      emit: publish,
      createRunner: (turn) =>
        new StepRunner({ plan, book, provider, turn, baseline, stateDir, emit: publish }),
    });
    return { scheduler, close, finish: async (report) => out?.writeReports(report) };
  } catch (error) {
    await close();
    throw error;
  }
}

function describePlan({ name, hash, steps }: ExpandedPlan) {
  return {
    type: 'plan' as const,
    name,
    planHash: hash,
    steps: steps.map(({ id, planId, needs, isolation }) => ({ id, planId, needs, isolation })),
  };
}

async function makeStateDir(closers: Closers): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'gemini-cli-batch-'));
  closers.push(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }));
  return folder;
}

async function warnOfLeftovers(
  removed: readonly string[],
  book: BatchBook,
  emit: Emit,
): Promise<void> {
  const message = `An earlier run of the batch has died: ${removed.join(', ')}`;
  const warning = { code: 'LEFTOVERS_REMOVED' as const, message, steps: [] };
  await book.write({ type: 'warning', warning });
  emit({ type: 'warning', warning });
}

function openBaseline(out: OutFolder, { steps }: ExpandedPlan): Promise<Baseline> {
  const folders = new Set(steps.map(({ config }) => String(config['workingDir'])));
  return Baseline.open(out.baselineFile, [...folders]);
}
