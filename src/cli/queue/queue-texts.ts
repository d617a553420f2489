import { cleanLine, cleanName } from '../../base/text/clean-text.js';
import { countOf } from '../../base/text/count-of.js';
import type { JobInfo, JobState, QueueStatus, WorkerInfo } from '../../queue/job-info.js';
import { formatCountdown, formatSeconds } from '../output/format-numbers.js';
import type { Paint } from '../output/output.js';

/** Characters of an id in a list: enough to tell jobs apart. */
const SHOWN_ID = 12;
const LONGEST_PROMPT = 60;

const COLORS: Readonly<Record<JobState, keyof Omit<Paint, 'isColorSupported'>>> = {
  waiting: 'yellow',
  active: 'cyan',
  delayed: 'yellow',
  completed: 'green',
  failed: 'red',
};

/** Describes the whole queue: store, counts, pause, workers, and what jobs wait for labels that no worker has. */
export function describeQueue(status: QueueStatus, paint: Paint, nowMs: number): string[] {
  const { counts, workers, pause, concurrencyLimit, notes } = status;
  const total = Object.entries(counts).map(([state, count]) => `${count} ${state}`);
  return [
    `${paint.bold(cleanName(status.name))} at ${cleanName(status.url)}`,
    `Jobs: ${total.join(' · ')}`,
    ...(pause === undefined
      ? []
      : [
          paint.yellow(
            `Paused until ${pause.until} (${formatCountdown(Date.parse(pause.until) - nowMs)}): ${pause.code} on ${cleanName(pause.worker)}: ${cleanName(pause.message)}`,
          ),
        ]),
    ...(concurrencyLimit === undefined
      ? []
      : [`At most ${countOf(concurrencyLimit, 'step')} at a time, after rate limits`]),
    workers.length === 0
      ? paint.yellow('No workers')
      : `${countOf(workers.length, 'worker')}, ${sum(workers, 'running')} of at most ${countOf(sum(workers, 'concurrency'), 'step')} running`,
    ...workers.map((worker) => describeWorkerRow(worker, paint, nowMs)),
    ...describeUnserved(status).map((line) => paint.yellow(line)),
    ...notes.map((note) => `${paint.yellow('!')} ${cleanName(note)}`),
  ];
}

function sum(workers: readonly WorkerInfo[], key: 'running' | 'concurrency'): number {
  return workers.reduce((all, worker) => all + worker[key], 0);
}

function describeWorkerRow(worker: WorkerInfo, paint: Paint, nowMs: number): string {
  const { name, host, pid, labels, running, concurrency, succeeded, failed, state } = worker;
  const facts = [
    `${running}/${concurrency} running`,
    `${succeeded} succeeded`,
    ...(failed === 0 ? [] : [`${failed} failed`]),
    ...(labels.length === 0 ? [] : [`labels ${labels.join(', ')}`]),
    `up ${formatSeconds(nowMs - Date.parse(worker.startedAt))}`,
    `process ${pid} on ${host}`,
    `version ${worker.version}`,
  ];
  const isReady = state === 'ready';
  const why = worker.reason === undefined ? '' : ` (${cleanName(worker.reason)})`;
  const sign = isReady ? paint.green('●') : paint.yellow('○');
  const text = `${sign} ${cleanName(name)} ${paint.dim(cleanName(facts.join(' · ')))}`;
  return isReady ? text : `${text} ${paint.yellow(`${state}${why}`)}`;
}

/** Describes jobs that wait for labels that no worker has. */
function describeUnserved({ requirements, workers }: QueueStatus): string[] {
  return requirements.flatMap(({ labels, counts }) => {
    const waiting = counts.waiting + counts.delayed;
    const isServed = workers.some((one) => labels.every((label) => one.labels.includes(label)));
    if (waiting === 0 || isServed) return [];
    const asked =
      labels.length === 0 ? 'a worker' : `a worker with ${cleanName(labels.join(', '))}`;
    return [`! ${countOf(waiting, 'job')} wait for ${asked}: none is there`];
  });
}

/** Describes a job in one line of a list. */
export function describeJobRow(job: JobInfo, paint: Paint, nowMs: number): string {
  const { id, state, labels, worker, attempt, error, lost } = job;
  const facts = [
    describeAge(job, nowMs),
    ...(worker === undefined ? [] : [`on ${worker}`]),
    ...(attempt > 1 ? [`attempt ${attempt}`] : []),
    ...(lost.length === 0 ? [] : [`${lost.length} lost`]),
    ...(labels.length === 0 ? [] : [`labels ${labels.join(', ')}`]),
    ...(error === undefined ? [] : [error.code]),
  ];
  const word = paint[COLORS[state]](stateWord(job).padEnd(9));
  const prompt = cleanLine(job.prompt).slice(0, LONGEST_PROMPT);
  return `${paint.bold(cleanName(id.slice(0, SHOWN_ID)))}  ${word}  ${prompt}  ${paint.dim(cleanName(facts.join(' · ')))}`;
}

function stateWord({ state, isCancelled }: JobInfo): string {
  return isCancelled && state !== 'completed' ? 'cancelled' : state;
}

function describeAge({ createdAt, startedAt, endedAt }: JobInfo, nowMs: number): string {
  const since = (iso: string): string => formatSeconds(nowMs - Date.parse(iso));
  if (endedAt !== undefined && startedAt !== undefined) {
    return `ran ${formatSeconds(Date.parse(endedAt) - Date.parse(startedAt))}, ended ${since(endedAt)} ago`;
  }
  if (endedAt !== undefined) return `ended ${since(endedAt)} ago`;
  return startedAt === undefined ? `waits for ${since(createdAt)}` : `runs for ${since(startedAt)}`;
}

/** Describes everything about one job. */
export function describeJob(job: JobInfo, paint: Paint, nowMs: number): string[] {
  const { id, createdAt, startedAt, endedAt, attempt, worker, host, labels, lost, error } = job;
  const facts: readonly (readonly [string, string | undefined])[] = [
    ['State', `${stateWord(job)} (${describeAge(job, nowMs)})`],
    ['Prompt', cleanLine(job.prompt)],
    ['Labels', labels.length === 0 ? undefined : labels.join(', ')],
    ['Queued', createdAt],
    ['Started', startedAt],
    ['Ended', endedAt],
    ['Attempt', attempt === 0 ? undefined : `${attempt}`],
    ['Worker', worker && `${worker}${host === undefined ? '' : ` on ${host}`}`],
    ...lost.map((one): [string, string] => {
      return ['Lost', `attempt ${one.attempt} on ${one.worker} (${one.host})`];
    }),
    ['Error', error && `${error.code}: ${error.message}`],
    ['Hint', error?.hint],
  ];
  return [
    paint.bold(cleanName(id)),
    ...facts.flatMap(([term, value]) => {
      if (value === undefined || value === '') return [];
      return [`  ${paint.dim(term.padEnd(8))} ${cleanName(value)}`];
    }),
  ];
}
