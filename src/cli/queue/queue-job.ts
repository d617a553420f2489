import { ProviderError } from '../../base/errors/provider-error.js';
import { createSuggest } from '../../base/text/nearest-name.js';
import type { JobInfo } from '../../queue/job-info.js';
import type { StepQueue } from '../../queue/step-queue.js';

/** Flags that pick failed jobs. */
export interface FailedFilter {
  readonly all?: boolean;
  readonly code?: string;
}

/** Jobs among which those that fit are searched. */
const MOST_SEARCHED = 10_000;

/**
 * Finds a job by its id, or by the beginning of its id. Throws INVALID_INPUT that names the nearest id, or the ids that begin
 * alike.
 */
export async function findJob(
  queue: Pick<StepQueue, 'show' | 'list'>,
  given: string,
): Promise<JobInfo> {
  try {
    return await queue.show(given);
  } catch (error) {
    if (!ProviderError.isInstance(error) || error.code !== 'INVALID_INPUT') throw error;
  }
  const jobs = await queue.list({ limit: MOST_SEARCHED });
  const alike = given === '' ? [] : jobs.filter(({ id }) => id.startsWith(given));
  const [only, second] = alike;
  if (only !== undefined && second === undefined) return queue.show(only.id);
  if (only !== undefined) {
    const ids = alike.slice(0, 5).map(({ id }) => id);
    throw new ProviderError({
      code: 'INVALID_INPUT',
      message: `${alike.length} jobs have an id that begins with "${given}"`,
      hint: `Give more of the id: ${ids.join(', ')}${alike.length > 5 ? ', …' : ''}.`,
    });
  }
  const suggest = createSuggest(jobs.map(({ id }) => id));
  throw new ProviderError({
    code: 'INVALID_INPUT',
    message: `The queue has no job "${given}"${suggest(given)}`,
    hint: 'List the jobs with `gemini-cli-provider queue list`. Ended jobs are removed after their retention time.',
  });
}

/** Finds the failed jobs that are tried again. Throws INVALID_INPUT unless either ids or `--all` are given. */
export async function findFailed(
  queue: Pick<StepQueue, 'show' | 'list'>,
  { all = false, code }: FailedFilter,
  ids: readonly string[],
): Promise<readonly JobInfo[]> {
  if (all === ids.length > 0 || (code !== undefined && !all))
    throw new ProviderError({
      code: 'INVALID_INPUT',
      message: 'Either ids of jobs or --all must be given',
      hint: 'Give ids, as `queue list --state failed` prints them, or --all, with --code for those with one error code.',
    });
  if (!all) return findAll(queue, ids);
  const failed = await queue.list({ state: 'failed', limit: MOST_SEARCHED });
  return failed.filter(({ error, isCancelled }) => {
    return !isCancelled && (code === undefined || error?.code === code);
  });
}

/** Finds the jobs with these ids, each once. */
export async function findAll(
  queue: Pick<StepQueue, 'show' | 'list'>,
  ids: readonly string[],
): Promise<JobInfo[]> {
  const found = new Map<string, JobInfo>();
  for (const id of ids) {
    const job = await findJob(queue, id);
    found.set(job.id, job);
  }
  return [...found.values()];
}
