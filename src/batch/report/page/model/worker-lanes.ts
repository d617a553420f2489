import type { JobReport } from '../../../../api/job-report.js';
import type { Span } from './folded-time.js';
import type { TimedItem } from './timeline-items.js';

/** Most rows of one worker. Further attempts at the same time share the last row. */
const MOST_ROWS = 32;
/** Attempts that overlap by less are taken as one after the other: callers and workers have different clocks. */
const TOLERANCE_MS = 100;
const NO_WORKER = 'no worker';
const QUEUE = 'queue';

export interface WorkerLanes {
  readonly lanes: readonly (readonly TimedItem[])[];
  /** Name of each lane. A worker that runs several steps at a time is named at its first lane. */
  readonly laneNames: readonly string[];
  /** Times in which attempts waited in the queue. Their lane is the last one, and has no attempts. */
  readonly queueWaits: readonly Span[];
}

/**
 * Sorts attempts into lanes by worker. A lane has the work of its attempts alone: while they wait in the queue, the worker
 * works for others. Attempts that no worker has taken come after the workers.
 */
export function toWorkerLanes(items: readonly TimedItem[], endMs: number): WorkerLanes {
  const groups = new Map<string, TimedItem[]>();
  const queueWaits: Span[] = [];
  for (const item of items) {
    const { job } = item.attempt;
    const wait = waitOf(item, endMs);
    if (wait.endMs > wait.startMs) queueWaits.push(wait);
    const key = job === undefined ? NO_WORKER : keyOf(job);
    const group = groups.get(key);
    const worked = job === undefined ? item : { ...item, startMs: item.workMs };
    if (group === undefined) groups.set(key, [worked]);
    else group.push(worked);
  }
  const names = nameWorkers(items);
  const sorted = [...groups].sort(([one], [other]) => compareKeys(one, other));
  const lanes: (readonly TimedItem[])[] = [];
  const laneNames: string[] = [];
  for (const [key, group] of sorted) {
    packRows(group).forEach((row, index) => {
      lanes.push(row);
      laneNames.push(index === 0 ? (names.get(key) ?? NO_WORKER) : '');
    });
  }
  if (queueWaits.length === 0) return { lanes, laneNames, queueWaits };
  return { lanes: [...lanes, []], laneNames: [...laneNames, QUEUE], queueWaits };
}

/** Returns the time that an attempt waited in the queue. An attempt without a worker waits until now. */
function waitOf({ attempt, startMs, workMs }: TimedItem, endMs: number): Span {
  const isWaiting = attempt.job === undefined && attempt.outcome === 'running';
  return { startMs, endMs: isWaiting ? endMs : workMs };
}

function keyOf({ worker, host }: JobReport): string {
  return JSON.stringify([worker, host]);
}

/** Orders workers by name: `worker-2` comes before `worker-10`. Attempts without a worker come last. */
function compareKeys(one: string, other: string): number {
  if (one === NO_WORKER || other === NO_WORKER)
    return one === other ? 0 : one === NO_WORKER ? 1 : -1;
  return one.localeCompare(other, 'en', { numeric: true });
}

/** Returns the names of the workers by key. The host is part of the name if two hosts have a worker of the same name. */
function nameWorkers(items: readonly TimedItem[]): ReadonlyMap<string, string> {
  const jobs = new Map(items.flatMap(({ attempt: { job } }) => (job ? [[keyOf(job), job]] : [])));
  const counts = new Map<string, number>();
  for (const { worker } of jobs.values()) counts.set(worker, (counts.get(worker) ?? 0) + 1);
  return new Map(
    [...jobs].map(([key, { worker, host }]) => {
      return [key, (counts.get(worker) ?? 0) > 1 ? `${worker} (${host})` : worker];
    }),
  );
}

/** Distributes attempts to as few rows as possible, so that attempts at the same time have different rows. */
function packRows(group: readonly TimedItem[]): readonly (readonly TimedItem[])[] {
  const rows: { readonly items: TimedItem[]; untilMs: number }[] = [];
  for (const item of group.toSorted((one, other) => one.startMs - other.startMs)) {
    const free = rows.find(({ untilMs }) => untilMs <= item.startMs + TOLERANCE_MS);
    const row = free ?? (rows.length < MOST_ROWS ? undefined : rows.at(-1));
    if (row === undefined) rows.push({ items: [item], untilMs: item.endMs });
    else {
      row.items.push(item);
      row.untilMs = Math.max(row.untilMs, item.endMs);
    }
  }
  return rows.map(({ items }) => items);
}
