import type { PausedEvent } from '../../api/batch-event.js';
import type { BatchStop } from '../../api/batch-report.js';
import type { StepState } from '../../api/step-report.js';
import type { ReadBatch } from '../../batch/run/read-batch.js';
import { BatchProgress } from './batch-progress.js';
import { nameFolders } from './collect-facts.js';
import { countWorkers, type WorkerCounts } from './worker-counts.js';

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
  /** Steps that wait for their next attempt, with the outcome of the last one. Empty if the batch does not run. */
  readonly retrying: readonly {
    readonly id: string;
    readonly code: string;
    readonly attempt: number;
    readonly inMs: number;
  }[];
  /** Time before which no step starts, because of a rate limit or an outage. Absent if there is none. */
  readonly pausedUntil?: string;
  /** Cause of that pause. */
  readonly pauseCause?: PausedEvent['cause'];
  /** Number of steps at the same time, if a rate limit has made it smaller. */
  readonly limit?: number;
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

/** Collects the status of a batch. */
export async function collectStatus(read: ReadBatch, nowMs: number): Promise<BatchStatus> {
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
    ...(state === 'running' ? toPace(read, nowMs) : { retrying: [] }),
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

/** Collects what holds up the steps of a running batch. */
function toPace(
  { pace, report }: ReadBatch,
  nowMs: number,
): Pick<BatchStatus, 'retrying' | 'pausedUntil' | 'pauseCause' | 'limit'> {
  const { retries, pausedUntil, cause, limit } = pace;
  const isPaused = pausedUntil !== undefined && Date.parse(pausedUntil) > nowMs;
  return {
    retrying: report.steps.flatMap(({ id, state, attempts }) => {
      const retry = retries.get(id);
      const last = attempts.at(-1);
      if (retry === undefined || last === undefined || state !== 'pending') return [];
      const inMs = Math.max(0, retry.untilMs - nowMs);
      return [{ id, code: last.outcome, attempt: last.number + 1, inMs }];
    }),
    ...(isPaused ? { pausedUntil, pauseCause: cause } : {}),
    ...(limit === undefined ? {} : { limit }),
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
async function findActivity({ folders, workingDirs }: ReadBatch, id: string): Promise<string> {
  const { readEvents } = await import('../../batch/run/read-activity.js');
  const progress = new BatchProgress(0, { folders: nameFolders(workingDirs) });
  progress.accept({ type: 'step-started', stepId: id, attempt: 1, lane: 0 }, 0);
  for (const event of readEvents(folders.out.eventsFile(id)).events) {
    progress.accept({ type: 'step-progress', stepId: id, event }, 0);
  }
  const phase = progress.active.get(id)?.phase;
  if (phase?.kind === 'queue') return 'waiting in the queue';
  return phase?.kind === 'work' ? phase.text : '';
}
