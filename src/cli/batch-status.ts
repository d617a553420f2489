import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { BatchStop } from '../api/batch-report.js';
import type { ProviderErrorData } from '../api/error.js';
import type { StepState } from '../api/step-report.js';
import { cleanName } from '../base/text/clean-text.js';
import type { ReadBatch } from '../batch/run/read-batch.js';
import { explainFailure } from './batch-failure.js';
import { BatchProgress } from './batch-progress.js';
import { formatSeconds } from './format-numbers.js';
import { type Output, type Paint, print, printJson } from './output.js';
import { findResumeCommand } from './resume-command.js';
import { describeHint, remarkOnFlags, rewriteHint } from './terminal-hint.js';
import { countWorkers, describeWorkers, type WorkerCounts } from './worker-counts.js';

const MOST_FAILURES = 10;

/** State of a batch as `batch status --json` prints it. */
export interface BatchStatus {
  readonly name: string;
  /** `running`: at work. `silent`: its owner does not answer. `killed`: ended without an end. `ended`: see `outcome`. */
  readonly state: 'running' | 'silent' | 'killed' | 'ended';
  readonly outcome: string;
  readonly owner?: { readonly pid: number; readonly host: string; readonly since: string };
  /** Start of the last run, and time of the last line of the ledger. */
  readonly startedAt: string;
  readonly lastEntryAt: string;
  readonly total: number;
  readonly counts: Readonly<Record<StepState, number>>;
  readonly tokens: number;
  readonly running: readonly {
    readonly id: string;
    readonly state: StepState;
    readonly attempt: number;
    readonly forMs: number;
    readonly activity: string;
    /** Worker that has the attempt. Absent without a queue, and as long as no worker has taken the attempt. */
    readonly worker?: string | undefined;
  }[];
  /** Workers of the attempts of all runs, and how many attempts were lost with each. Absent without a queue. */
  readonly workers?: readonly WorkerCounts[];
  readonly failures: readonly {
    readonly id: string;
    readonly code: string;
    readonly message: string;
    readonly hint: string;
  }[];
  /** Steps whose last attempt was cut off by a kill. The next run starts them again. */
  readonly interrupted: readonly string[];
  readonly stop?: BatchStop;
}

interface StatusFlags {
  readonly state?: string;
  readonly json?: boolean;
}

export function addBatchStatus(batch: Command, output: Output): void {
  batch
    .command('status')
    .description('Print how far a batch is, whether it runs, and what it does')
    .argument('<dir>', 'Folder that was given with --out')
    .option('--state <dir>', 'Folder that was given with --state')
    .option('--json', 'Print the status as one JSON object')
    .action(async (folder: string, flags: StatusFlags) => {
      process.exitCode = await explainFailure(show(folder, flags, output), flags, output);
    });
}

async function show(folder: string, flags: StatusFlags, output: Output): Promise<number> {
  const { readBatch } = await import('../batch/run/read-batch.js');
  const read = await readBatch(resolve(folder), flags.state);
  const status = await toStatus(read, Date.now());
  if (flags.json === true) {
    await printJson(output.stdout, status);
    return 0;
  }
  const errors = new Map(read.report.steps.map(({ id, error }) => [id, error]));
  const text = describeStatus(status, output.stdout.paint, Date.now(), errors);
  const { outcome } = read.report;
  const resume = findResumeCommand(read.report, folder, flags.state);
  const mayResume = resume !== undefined && outcome !== 'succeeded' && status.state !== 'silent';
  const last = mayResume ? [`Resume: ${cleanName(resume)}`] : [];
  await print(output.stdout, `${[text, ...last].join('\n')}\n`);
  return 0;
}

/** Collects the status of a batch. */
export async function toStatus(read: ReadBatch, nowMs: number): Promise<BatchStatus> {
  const { report, liveness, lastEntryAt } = read;
  const { steps, counts, stop } = report;
  const { owner } = liveness;
  const state = stateOf(read);
  const workers = countWorkers(steps);
  return {
    name: report.name,
    state,
    outcome: report.outcome,
    ...(owner === undefined || state === 'ended'
      ? {}
      : { owner: { pid: owner.owner.pid, host: owner.owner.host, since: owner.startedAt } }),
    startedAt: report.runs.at(-1)?.startedAt ?? '',
    lastEntryAt,
    total: steps.length,
    counts,
    tokens: report.usage.total,
    running: await Promise.all(
      steps
        .filter((step) => step.state === 'running' || step.state === 'merging')
        .map(async ({ id, state: of, attempts }) => {
          const last = attempts.at(-1);
          const sinceMs = Date.parse((of === 'merging' ? last?.endedAt : last?.startedAt) ?? '');
          const forMs = Math.max(0, nowMs - (Number.isNaN(sinceMs) ? nowMs : sinceMs));
          const activity = of === 'merging' ? describeMerging(state) : await findActivity(read, id);
          const worker = last?.job?.worker;
          const attempt = last?.number ?? 1;
          return { id, state: of, attempt, forMs, activity, ...(worker && { worker }) };
        }),
    ),
    failures: steps.flatMap(({ id, state: of, error }) => {
      if (of !== 'failed' || error === undefined) return [];
      return [{ id, code: error.code, message: error.message, hint: error.hint }];
    }),
    interrupted: steps.flatMap(({ id, state: of, attempts }) => {
      return of === 'pending' && attempts.at(-1)?.outcome === 'interrupted' ? [id] : [];
    }),
    ...(workers.length === 0 ? {} : { workers }),
    ...(stop === undefined ? {} : { stop }),
  };
}

function stateOf({ isEnded, liveness }: ReadBatch): BatchStatus['state'] {
  if (isEnded) return 'ended';
  if (liveness.kind === 'alive') return 'running';
  return liveness.kind === 'silent' ? 'silent' : 'killed';
}

function describeMerging(state: BatchStatus['state']): string {
  const isAtWork = state === 'running' || state === 'silent';
  return isAtWork ? 'waits for its merge' : 'finished, the next run merges it';
}

/** Finds what a step does now from the last events that its batch has written. */
async function findActivity({ folders }: ReadBatch, id: string): Promise<string> {
  const { readEvents } = await import('../batch/run/read-activity.js');
  const progress = new BatchProgress(0);
  progress.accept({ type: 'step-started', stepId: id, attempt: 1, lane: 0 }, 0);
  for (const event of readEvents(folders.out.eventsFile(id)).events) {
    progress.accept({ type: 'step-progress', stepId: id, event }, 0);
  }
  const phase = progress.active.get(id)?.phase;
  if (phase?.kind === 'queue') return 'waiting in the queue';
  return phase?.kind === 'work' ? phase.text : '';
}

/** Describes the status as text. `errors` has the errors of the failed steps with what their hints refer to. */
export function describeStatus(
  status: BatchStatus,
  paint: Paint,
  nowMs: number,
  errors: ReadonlyMap<string, ProviderErrorData | undefined> = new Map(),
): string {
  const { counts, total, running, failures, stop } = status;
  const hints = failures.slice(0, MOST_FAILURES).map(({ hint }) => hint);
  const more = failures.length - MOST_FAILURES;
  const shown = failures.slice(0, MOST_FAILURES).flatMap((failure) => {
    const { id, code, message } = failure;
    const [hint, ...details] = describeHint(errors.get(id) ?? failure, 'batch', paint);
    return [
      `${paint.red('✗')} ${cleanName(id)} ${paint.red(code)} ${cleanName(message)}`,
      paint.dim(`  ${hint}`),
      ...details,
    ];
  });
  const width = Math.max(0, ...running.map(({ id }) => id.length));
  return [
    `${paint.bold(cleanName(status.name))}: ${describeState(status, paint, nowMs)}`,
    [
      `${counts.succeeded} of ${total} steps succeeded`,
      ...Object.entries(counts).flatMap(([state, count]) => {
        return state === 'succeeded' || count === 0 ? [] : [`${count} ${state}`];
      }),
      `${status.tokens} tokens`,
    ].join(' · '),
    ...(status.workers === undefined ? [] : [describeWorkers(status.workers)]),
    ...running.map(({ id, attempt, forMs, activity, worker }) => {
      const on = worker === undefined ? '' : ` on ${cleanName(worker)}`;
      const number = attempt > 1 ? ` attempt ${attempt}` : '';
      return `${paint.cyan('→')} ${cleanName(id).padEnd(width)} ${formatSeconds(forMs)}${number}${on} ${paint.dim(cleanName(activity))}`;
    }),
    ...describeInterrupted(status.interrupted).map((line) => paint.yellow(line)),
    ...shown,
    ...(more > 0 ? [paint.dim(`  and ${more} more failures`)] : []),
    ...remarkOnFlags(hints).map((line) => paint.dim(line)),
    ...(stop === undefined
      ? []
      : [`${paint.yellow('→')} Stopped: ${rewriteHint(stop.message, 'batch')}`]),
  ].join('\n');
}

/** Names the steps that a kill has cut off. */
function describeInterrupted(ids: readonly string[]): string[] {
  if (ids.length === 0) return [];
  const named = ids.slice(0, MOST_FAILURES).map(cleanName).join(', ');
  const more = ids.length - MOST_FAILURES;
  return [`! interrupted, will begin again: ${named}${more > 0 ? ` and ${more} more` : ''}`];
}

function describeState(status: BatchStatus, paint: Paint, nowMs: number): string {
  const { state, owner, outcome, lastEntryAt, startedAt } = status;
  const who = owner && `process ${owner.pid} on ${cleanName(owner.host)}`;
  const lasted = formatSeconds(Math.max(0, nowMs - Date.parse(startedAt)));
  if (state === 'running') {
    return `${paint.green('running')} for ${lasted} (${who}, since ${owner?.since})`;
  }
  if (state === 'silent') {
    return paint.yellow(`not answering (${who ?? 'owner unknown'}), last sign at ${lastEntryAt}`);
  }
  if (state === 'killed') {
    return `${paint.red('not running: killed')} (last line of the ledger at ${lastEntryAt}${who === undefined ? '' : `, ${who}`})`;
  }
  const color = outcome === 'succeeded' ? paint.green : paint.red;
  return `not running: ${color(outcome)} at ${lastEntryAt}`;
}
