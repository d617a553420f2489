import type { ProviderErrorData } from '../../api/error.js';
import { isObject } from '../../base/json/is-object.js';
import type { JobCounts, JobInfo, JobState } from '../job-info.js';
import { peekJob, readCancelled } from '../protocol/envelope.js';
import { parseProgress } from '../protocol/job-progress.js';
import { labelsOfJob } from '../protocol/labels.js';
import { reviveError, unpackOutcome } from '../protocol/outcome.js';
import { readPayload } from '../protocol/payload.js';
import type { BlobStore } from '../store/blob-store.js';
import type { BullJob, BullQueue } from '../store/queue-store.js';

/** States of BullMQ by ours. */
export const BULL_STATES = {
  waiting: ['waiting', 'prioritized', 'waiting-children'],
  active: ['active'],
  delayed: ['delayed'],
  completed: ['completed'],
  failed: ['failed'],
} as const satisfies Record<JobState, readonly string[]>;

const STATES = Object.keys(BULL_STATES).filter(isState);

function isState(name: string): name is JobState {
  return name in BULL_STATES;
}

/** Maps a state of BullMQ to ours. */
export function mapState(bullState: string): JobState {
  const known = bullState === 'wait' ? 'waiting' : bullState;
  return STATES.find((state) => BULL_STATES[state].some((it) => it === known)) ?? 'waiting';
}

/** Counts the jobs of a queue by our states. */
export async function countJobs(queue: BullQueue): Promise<JobCounts> {
  const counts = await queue.getJobCounts();
  const sum = (state: JobState): number =>
    Object.entries(counts)
      .filter(([name]) => mapState(name) === state)
      .reduce((total, [, count]) => total + count, 0);
  return {
    waiting: sum('waiting'),
    active: sum('active'),
    delayed: sum('delayed'),
    completed: sum('completed'),
    failed: sum('failed'),
  };
}

/** Describes a job. The content is not trusted: it is shown, and nothing is done with it. */
export async function mapJobInfo(
  job: BullJob,
  state: JobState,
  blobs: BlobStore,
): Promise<JobInfo> {
  const id = job.id ?? '';
  const progress = parseProgress(job.progress);
  const envelope = peekJob(id, job.data);
  return {
    id,
    state,
    prompt: envelope?.title ?? '',
    labels: envelope?.labels ?? labelsOfJob(id),
    createdAt: showTime(job.timestamp) ?? new Date(0).toISOString(),
    startedAt: showTime(progress?.startedAtMs),
    endedAt: showTime(job.finishedOn),
    attempt: progress?.attempt ?? 0,
    worker: progress?.worker,
    host: progress?.host,
    lost: progress?.lost ?? [],
    isCancelled: readCancelled(job.data) !== undefined,
    error: state === 'failed' ? await readError(id, job.failedReason ?? '', blobs) : undefined,
  };
}

/** Shows a time. Undefined if there is none, or one that no calendar has: one such job must not hide all others. */
function showTime(ms: number | undefined): string | undefined {
  const date = new Date(ms ?? Number.NaN);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

/** Reads the error of a failed job, without its partial output. */
async function readError(id: string, reason: string, blobs: BlobStore): Promise<ProviderErrorData> {
  const unchecked = { queue: '', secret: undefined, acceptsUnsigned: true };
  try {
    const outcome = unpackOutcome('error', id, reason, unchecked);
    const content: unknown = outcome && JSON.parse(await readPayload(outcome.content, blobs));
    if (isObject(content)) {
      const { partial: _left, ...data } = reviveError(content['error']).toJSON();
      return data;
    }
  } catch {
    // The text below says what is known.
  }
  const message = `The job ended without a result of a worker: ${reason.slice(0, 200)}`;
  return { name: 'ProviderError', code: 'INCOMPLETE', message, hint: '', retryable: true };
}
