import { type Command, InvalidArgumentError, Option } from 'commander';
import { readEnvironment } from '../../base/process/environment.js';
import { countOf } from '../../base/text/count-of.js';
import { parseDuration } from '../../base/text/parse-duration.js';
import type { JobInfo, JobState } from '../../queue/job-info.js';
import type { StepQueue } from '../../queue/step-queue.js';
import { explainFailure } from '../batch/batch-failure.js';
import { type Output, print, printJson, sayOn } from '../output/output.js';
import { describeJobResult } from './describe-job-result.js';
import { hideCommandLine } from './hide-credentials.js';
import { createLimitFlags, type LimitFlags, readLimits } from './limit-flags.js';
import {
  addConnectionFlags,
  type ConnectionFlags,
  readConnection,
  toCount,
  toLabels,
} from './queue-flags.js';
import { type FailedFilter, findAll, findFailed } from './queue-job.js';
import { describeJob, describeJobRow, describeQueue } from './queue-texts.js';

interface QueueFlags extends ConnectionFlags, LimitFlags {
  readonly json?: boolean;
}

interface ListFlags extends QueueFlags {
  readonly state?: JobState;
  readonly labels?: readonly string[];
  readonly worker?: string;
  readonly limit: number;
  /** Seconds. */
  readonly olderThan?: number;
}

interface RetryFlags extends QueueFlags, FailedFilter {}

interface CleanFlags extends QueueFlags {
  readonly olderThan?: number;
  readonly keep?: number;
}

const STATES: readonly JobState[] = ['waiting', 'active', 'delayed', 'completed', 'failed'];
/** Jobs that are read to find those that the filters leave. */
const MOST_READ = 10_000;
/** A person waits for the answer of these commands. */
const CONNECT_TIMEOUT = '10s';

const EXAMPLES = `
Examples:
  $ export GEMINI_CLI_PROVIDER_QUEUE=postgres://user@store/steps PGPASSWORD=…
  $ gemini-cli-provider queue status
  $ gemini-cli-provider queue list --state failed
  $ gemini-cli-provider queue show 3f9a            # the beginning of an id is enough
  $ gemini-cli-provider queue result 3f9a --apply-to .
  $ gemini-cli-provider queue retry 3f9a
  $ gemini-cli-provider queue retry --all --code API_REQUEST
  $ gemini-cli-provider queue cancel 3f9a --reason "wrong branch"
  $ gemini-cli-provider queue clean --older-than 7d --keep 100

Exit codes: 0 done · 2 wrong use or configuration, credentials refused, or no such job · 5 store not reachable or full · 1 other
  result: that of the step, as run`;

type Act<Flags> = (queue: StepQueue, flags: Flags, ids: readonly string[]) => Promise<Answer>;

/** What a command prints: an object with `--json`, else lines. */
interface Answer {
  readonly json: unknown;
  readonly lines: readonly string[];
}

export function addQueueCommand(program: Command, output: Output): void {
  const command = program
    .command('queue')
    .description('Look after a queue: jobs, workers, retries, clean-up')
    .addHelpText('after', EXAMPLES);
  const { paint } = output.stdout;
  const add = <Flags extends QueueFlags>(
    name: string,
    description: string,
    act: Act<Flags>,
    more: readonly Option[] = [],
  ): void => {
    const named = command.command(name).description(description);
    const sub = addConnectionFlags(named, CONNECT_TIMEOUT);
    for (const flag of more) sub.addOption(flag);
    sub.option('--json', 'Print the answer as JSON');
    sub.action(async () => {
      const flags = sub.opts<Flags>();
      process.exitCode = await explainFailure(run(act, flags, sub.args, output), flags, output);
    });
  };
  add('status', 'Print the counts of jobs, the workers, and pauses', async (queue) => {
    const status = await queue.status();
    return { json: status, lines: describeQueue(status, paint, Date.now()) };
  });
  add<ListFlags>(
    'list',
    'List jobs, the newest first',
    async (queue, flags) => {
      const jobs = await listJobs(queue, flags);
      const none = 'The queue has no such jobs.';
      const rows = jobs.map((job) => describeJobRow(job, paint, Date.now()));
      return { json: jobs, lines: rows.length === 0 ? [none] : rows };
    },
    [
      new Option('--state <state>', 'Jobs in this state only').choices(STATES),
      new Option('--labels <a,b>', 'Jobs that ask for these labels').argParser(toLabels),
      new Option('--worker <name>', 'Jobs whose last attempt was on this worker'),
      new Option('--older-than <age>', 'Jobs that were queued before this age: 30m, 7d').argParser(
        toAge,
      ),
      new Option('-n, --limit <n>', 'Maximum number of jobs').argParser(toCount).default(50),
    ],
  );
  add('show <id...>', 'Print everything about jobs', async (queue, _, ids) => {
    const jobs = await findAll(queue, ids);
    const json = jobs.length === 1 ? jobs[0] : jobs;
    return { json, lines: jobs.flatMap((job) => describeJob(job, paint, Date.now())) };
  });
  add<QueueFlags & { readonly applyTo?: string }>(
    'result <id>',
    'Wait for the end of a job and print its answer; --apply-to makes its changes in a folder',
    async (queue, { applyTo }, ids) => {
      const [job] = await findAll(queue, ids);
      const result = await queue.result(job?.id ?? '', { applyTo });
      return { json: result, lines: describeJobResult(result, applyTo, paint) };
    },
    [
      new Option('--apply-to <dir>', 'Folder for the changes of a shipped workspace'),
      ...createLimitFlags('With --apply-to: '),
    ],
  );
  add<RetryFlags>(
    'retry [id...]',
    'Put failed jobs on the queue again: those that are named, or --all',
    async (queue, flags, ids) => {
      const jobs = await findFailed(queue, flags, ids);
      for (const { id } of jobs) await queue.retry(id);
      const lines = jobs.map(({ id }) => `${paint.green('✓')} ${id} is on the queue again`);
      const total = `Put ${countOf(jobs.length, 'failed job')} on the queue again.`;
      const shown = ids.length > 0 ? lines : [total];
      return { json: { retried: jobs.map(({ id }) => id) }, lines: shown };
    },
    [
      new Option('--all', 'All failed jobs that were not cancelled'),
      new Option('--code <code>', 'With --all: those that failed with this code, as API_REQUEST'),
    ],
  );
  add<QueueFlags & { readonly reason?: string }>(
    'cancel <id...>',
    'Cancel jobs: waiting ones are removed, running ones end on their workers',
    async (queue, { reason }, ids) => {
      const jobs = await findAll(queue, ids);
      const ended = new Set<string>();
      for (const { id } of jobs) if (!(await queue.cancel(id, reason))) ended.add(id);
      const lines = jobs.map(({ id, state, worker }) => {
        if (ended.has(id)) return `${paint.yellow('!')} ${id} had ended before`;
        const where = state === 'active' ? `ends on ${worker ?? 'its worker'}` : 'is removed';
        return `${paint.green('✓')} ${id} is cancelled: it ${where}`;
      });
      const all = jobs.map(({ id }) => id);
      const cancelled = all.filter((id) => !ended.has(id));
      return { json: { cancelled, endedBefore: [...ended] }, lines };
    },
    [new Option('--reason <text>', 'Reason for the report of the step')],
  );
  add('drain', 'Remove all jobs that no worker has taken yet', async (queue) => {
    const removed = await queue.drain();
    return { json: { removed }, lines: [`Removed ${countOf(removed, 'waiting job')}.`] };
  });
  add<CleanFlags>(
    'clean',
    'Remove ended jobs with their results',
    async (queue, { olderThan, keep }) => {
      const removed = await queue.clean({ olderThan, keep });
      return { json: { removed }, lines: [`Removed ${countOf(removed, 'ended job')}.`] };
    },
    [
      new Option('--older-than <age>', 'Jobs that ended before this age: 30m, 7d').argParser(toAge),
      new Option('--keep <n>', 'Keep the newest n jobs').argParser(toCount),
    ],
  );
  add('resume', 'End a pause of the queue before its time', async (queue) => {
    const { pause } = await queue.status();
    await queue.resume();
    const what = pause === undefined ? 'The queue was not paused.' : 'The pause is over.';
    return { json: { pause: pause ?? null }, lines: [what] };
  });
}

async function run<Flags extends QueueFlags>(
  act: Act<Flags>,
  flags: Flags,
  ids: readonly string[],
  output: Output,
): Promise<number> {
  await hideCommandLine(process.argv.slice(2), output);
  const { StepQueue } = await import('../../queue/step-queue.js');
  const say = sayOn(output.stderr);
  await using queue = new StepQueue({
    connectTimeout: CONNECT_TIMEOUT,
    ...readConnection(flags, readEnvironment()),
    ...readLimits(flags),
    onConnection: (isConnected, message) => say(isConnected ? message : `Waiting: ${message}`),
  });
  const { json, lines } = await act(queue, flags, ids);
  if (flags.json === true) await printJson(output.stdout, json);
  else await print(output.stdout, `${lines.join('\n')}\n`);
  return 0;
}

async function listJobs(queue: StepQueue, flags: ListFlags): Promise<JobInfo[]> {
  const { state, labels = [], worker, olderThan, limit } = flags;
  const hasFilter = labels.length > 0 || worker !== undefined || olderThan !== undefined;
  const jobs = await queue.list({ state, limit: hasFilter ? MOST_READ : limit });
  const latestMs = Date.now() - (olderThan ?? 0) * 1_000;
  return jobs
    .filter((job) => labels.every((label) => job.labels.includes(label)))
    .filter((job) => worker === undefined || job.worker === worker)
    .filter(({ createdAt }) => olderThan === undefined || Date.parse(createdAt) <= latestMs)
    .slice(0, limit);
}

/** Parses an age. A number without a unit is refused: 7 seconds are hardly meant by 7. */
function toAge(value: string): number {
  const seconds = /[a-z]$/.test(value.trim()) ? parseDuration(value) : undefined;
  if (seconds === undefined) throw new InvalidArgumentError('Give an age such as 30m, 12h or 7d.');
  return seconds;
}
