import { cleanLine } from '../../base/text/clean-text.js';
import type { JobCounts, JobInfo, JobState, QueueStatus } from '../job-info.js';
import { queueNameOf } from '../protocol/labels.js';
import { NO_SECRET } from '../protocol/signature.js';
import type { OpenStore } from '../store/open-store.js';
import type { BullQueue } from '../store/queue-store.js';
import { findStoreProblem } from '../store/store-error.js';
import { readLimit, readPause } from '../worker/queue-pause.js';
import { type HeartbeatInfo, readHeartbeats } from '../worker/worker-registry.js';
import { BULL_STATES, countJobs, mapJobInfo } from './map-job-info.js';

/** Blob that is written to find out whether the store takes writes. */
const PROBE_KEY = 'control/probe';
const PROBE_TTL_MS = 1_000;
/** Most jobs that one request removes. */
const MOST_REMOVED = 1_000;

/** Lists jobs of all requirements, the newest first. */
export async function listJobs(
  store: OpenStore,
  state: JobState | undefined,
  limit: number,
): Promise<JobInfo[]> {
  const states: readonly JobState[] =
    state === undefined ? ['waiting', 'active', 'delayed', 'completed', 'failed'] : [state];
  const jobs: JobInfo[] = [];
  for (const { queue } of await openQueues(store)) {
    for (const one of states) {
      const found = await queue.getJobs([...BULL_STATES[one]], 0, limit - 1, false);
      // A job may be removed between the list and the look at it.
      const there = found.filter((job) => job !== undefined && job !== null);
      jobs.push(...(await Promise.all(there.map((job) => mapJobInfo(job, one, store.blobs)))));
    }
  }
  return jobs.sort((a, b) => (a.createdAt < b.createdAt ? 1 : -1)).slice(0, limit);
}

/** Describes the whole queue. */
export async function readQueueStatus(store: OpenStore): Promise<QueueStatus> {
  const requirements: QueueStatus['requirements'][number][] = [];
  for (const { labels, queue } of await openQueues(store)) {
    requirements.push({ labels, counts: await countJobs(queue) });
  }
  const pause = await readPause(store);
  const concurrencyLimit = await readLimit(store);
  const heartbeats = await readHeartbeats(store.blobs);
  return {
    store: store.address.kind,
    url: store.address.shown,
    name: store.name,
    counts: requirements.map(({ counts }) => counts).reduce(addCounts),
    requirements,
    workers: heartbeats.map(({ secret: _own, ...worker }) => worker),
    ...(pause !== undefined && { pause }),
    ...(concurrencyLimit !== undefined && { concurrencyLimit }),
    notes: [...store.notes, ...describeSecrets(heartbeats), ...(await findRefusedWrite(store))],
  };
}

/** Names the workers by their secrets, if they do not all have the same one. */
function describeSecrets(workers: readonly HeartbeatInfo[]): string[] {
  const groups = new Map<string, string[]>();
  for (const { secret, name } of workers)
    if (secret !== undefined) groups.set(secret, [...(groups.get(secret) ?? []), name]);
  if (groups.size < 2) return [];
  const lists = [...groups].map(([secret, names]) => {
    return `${cleanLine(names.join(', '))}${secret === NO_SECRET ? ' (none)' : ''}`;
  });
  return [`The workers do not have the same secret: ${lists.join(' · ')}`];
}

/** A worker cannot tell of a store that takes no heartbeat. */
async function findRefusedWrite(store: OpenStore): Promise<string[]> {
  try {
    await store.blobs.put(PROBE_KEY, new Uint8Array(), PROBE_TTL_MS);
    return [];
  } catch (error) {
    const problem = findStoreProblem(error, store.address);
    if (problem === undefined) throw error;
    return [problem.message];
  }
}

/** Removes all jobs that no worker has taken yet. */
export async function drainJobs(store: OpenStore): Promise<number> {
  let removed = 0;
  for (const { queue } of await openQueues(store)) {
    const { waiting, delayed } = await countJobs(queue);
    await queue.drain(true);
    const after = await countJobs(queue);
    removed += Math.max(0, waiting + delayed - after.waiting - after.delayed);
  }
  return removed;
}

/** Removes ended jobs beyond the newest ones, from an age on. */
export async function cleanJobs(store: OpenStore, ageMs: number, keep: number): Promise<number> {
  let removed = 0;
  for (const { queue } of await openQueues(store)) {
    const ended = await queue.getJobs(['completed', 'failed'], 0, -1, false);
    const newestFirst = ended
      .filter((job) => job?.finishedOn !== undefined)
      .sort((a, b) => (b.finishedOn ?? 0) - (a.finishedOn ?? 0));
    const before = store.nowMs() - ageMs;
    const old = newestFirst.slice(keep).filter((job) => (job.finishedOn ?? 0) <= before);
    for (let start = 0; start < old.length; start += MOST_REMOVED) {
      await Promise.all(old.slice(start, start + MOST_REMOVED).map((job) => job.remove()));
    }
    removed += old.length;
  }
  return removed;
}

async function openQueues(
  store: OpenStore,
): Promise<{ readonly labels: readonly string[]; readonly queue: BullQueue }[]> {
  const requirements = await store.requirements();
  return requirements.map((labels) => {
    return { labels, queue: store.queue(queueNameOf(store.name, labels)) };
  });
}

function addCounts(a: JobCounts, b: JobCounts): JobCounts {
  return {
    waiting: a.waiting + b.waiting,
    active: a.active + b.active,
    delayed: a.delayed + b.delayed,
    completed: a.completed + b.completed,
    failed: a.failed + b.failed,
  };
}
