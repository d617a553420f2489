import type {
  BatchEvent,
  FinishCommandEvent,
  PausedEvent,
  StepProgressEvent,
  StepRetryEvent,
  StepStartedEvent,
} from '../../api/batch-event.js';
import type { AttemptReason, AttemptReport, StepReport } from '../../api/step-report.js';
import { isQueued } from '../../base/events/step-activity.js';
import { cleanName, cleanText } from '../../base/text/clean-text.js';
import { countOf } from '../../base/text/count-of.js';
import { describeCostShortly } from '../../base/usage/describe-cost.js';
import { formatClock, formatSeconds, formatThousands } from '../output/format-numbers.js';
import type { Paint } from '../output/output.js';
import { rewriteHint } from '../output/terminal-hint.js';
import type { BatchProgress } from './batch-progress.js';

/** Shorter waits are not worth a word. */
const SHORTEST_WAIT_MS = 1_000;

/** Reasons of an attempt in words. `new` and `retry` are described in other ways. */
const REASONS: Readonly<Partial<Record<AttemptReason, string>>> = {
  prompt: 'prompt changed',
  configuration: 'configuration changed',
  inputs: 'inputs changed',
  needs: 'a step that it needs has a new result',
  failed: 'failed in the last run',
  cancelled: 'cancelled in the last run',
  interrupted: 'interrupted in the last run',
  damaged: 'its result in the ledger was damaged',
};

/**
 * Returns the line of an event; undefined for an event that is not printed. Messages are whole: a log has no columns, and
 * a terminal wraps them. `progress` has accepted the event.
 */
export function describeBatchEvent(
  event: BatchEvent,
  paint: Paint,
  progress?: BatchProgress,
): string | undefined {
  switch (event.type) {
    case 'batch-started': {
      const how = event.isFresh ? '' : ', resumed';
      return paint.dim(
        `Batch ${cleanName(event.name)}: ${countOf(event.steps.length, 'step')}${how}`,
      );
    }
    case 'step-started': {
      const why = describeReason(event, progress);
      const id = `${paint.cyan('→')} ${cleanName(event.stepId)}`;
      return why === '' ? id : `${id} ${paint.dim(why)}`;
    }
    case 'step-progress':
      return describeTakeover(event, paint, progress);
    case 'step-retry': {
      const failed = progress?.active.get(event.stepId)?.attempt ?? event.attempt;
      const next = describeNext(failed + 1, event, progress);
      const when = `(${next} in ${formatSeconds(event.delayMs)})`;
      return `${paint.yellow('↻')} ${cleanName(event.stepId)} ${event.code}: ${cleanName(event.message)} ${paint.dim(when)}`;
    }
    case 'step-finished':
      // Reused and left out steps get no line: there may be a thousand, and none of them ran. The summary counts them.
      return event.report.reused || event.report.leftOut === true
        ? undefined
        : describeStep(event.report, paint);
    case 'concurrency':
      return paint.dim(`Concurrency is now ${event.limit}`);
    case 'paused':
      return paint.yellow(describePaused(event));
    case 'stopping':
      return paint.yellow(`Stopping: ${rewriteHint(event.stop.message, 'batch')}`);
    case 'warning':
      return `${paint.yellow('Warning:')} ${cleanText(event.warning.message)}`;
    case 'finish-command':
      return describeFinishCommand(event, paint);
    default:
      return undefined;
  }
}

/** Describes a pause. The API is asked again by one step at a time, so that an outage costs no other step its attempts. */
function describePaused({ cause, untilMs }: PausedEvent): string {
  const until = `no step starts before ${formatClock(untilMs)}`;
  if (cause === 'rate-limit') return `Rate limited: ${until}`;
  return `The API or the network is down: ${until}, then one at a time until one succeeds`;
}

/** Describes that a worker was lost or has given the step back; undefined for all other events. */
function describeTakeover(
  { stepId, event }: StepProgressEvent,
  paint: Paint,
  progress: BatchProgress | undefined,
): string | undefined {
  const sign = `${paint.yellow('!')} ${cleanName(stepId)}`;
  if (event.type === 'worker-assigned') {
    const lost = event.lost.find(({ attempt }) => attempt === event.attempt - 1);
    if (lost === undefined) return undefined;
    return `${sign} worker ${cleanName(lost.worker)} was lost, ${cleanName(event.worker)} begins the step again`;
  }
  // A step that has had no worker yet gets no line: there may be a thousand of them.
  const hadWorker = progress?.active.get(stepId)?.worker !== undefined;
  return isQueued(event) && hadWorker ? `${sign} ${cleanName(event.message)}` : undefined;
}

/** Describes a command of `onFinish` with its output. A failure has a warning of its own. */
function describeFinishCommand({ command, output }: FinishCommandEvent, paint: Paint): string {
  const title = paint.dim(`onFinish: ${cleanName(command)}`);
  return output === '' ? title : `${title}\n${cleanText(output)}`;
}

/** Describes why a step runs that is not new: what has changed, or which attempt of how many. */
function describeReason(
  { stepId, attempt, reason }: StepStartedEvent,
  progress: BatchProgress | undefined,
): string {
  const row = progress?.active.get(stepId);
  const inRun = row?.attempt ?? attempt;
  if (inRun > 1 && row?.isFallback === true) return withModel(inRun, row.model);
  if (inRun > 1) return describeAttempt(inRun, stepId, progress);
  const words = reason === undefined ? undefined : REASONS[reason];
  if (words !== undefined) return `again: ${words}`;
  return attempt > 1 && reason !== 'new' ? 'again' : '';
}

/** Describes the attempt after a failed one. Attempts with a fallback model are not counted up to the retries of the step. */
function describeNext(
  next: number,
  { stepId, model }: StepRetryEvent,
  progress: BatchProgress | undefined,
): string {
  const row = progress?.active.get(stepId);
  if (model === undefined && row?.isFallback !== true)
    return describeAttempt(next, stepId, progress);
  return withModel(next, model ?? row?.model);
}

function withModel(attempt: number, model = ''): string {
  return `attempt ${attempt} with ${cleanName(model)}`;
}

function describeAttempt(
  attempt: number,
  stepId: string,
  progress: BatchProgress | undefined,
): string {
  const retries = progress?.plan.retriesOf?.(stepId);
  return retries === undefined ? `attempt ${attempt}` : `attempt ${attempt} of ${retries + 1}`;
}

/** Describes the outcome of a step. */
export function describeStep(report: StepReport, paint: Paint): string {
  const { state, files, error } = report;
  // The id of a matrix step contains a file name, which may contain control characters.
  const id = cleanName(report.id);
  if (state === 'skipped') return paint.dim(`- ${id} ${describeSkip(report)}`);
  if (state === 'failed') {
    const where = describeWorker(report).map((text) => ` ${paint.dim(`(${text})`)}`);
    return `${paint.red('✗')} ${id} ${paint.red(error?.code ?? '')} ${cleanName(error?.message ?? '')}${where.join('')}`;
  }
  if (state === 'merging') return paint.dim(`- ${id} finished and saved: the next run merges it`);
  if (state !== 'succeeded') return paint.dim(`- ${id} ${state}`);
  const facts = [
    ...describeWork(report),
    countOf(files.length, 'file'),
    ...describeWorker(report),
    ...describeSum(report),
  ];
  return `${paint.green('✓')} ${id} ${paint.dim(facts.join(' · '))}`;
}

/** Describes why a step was skipped. */
export function describeSkip({ skip, skippedBecauseOf = '' }: StepReport): string {
  return skip === undefined
    ? `skipped because ${cleanName(skippedBecauseOf)} failed`
    : `skipped: ${cleanName(skip.message)}`;
}

/** Describes time, tokens and cost of the last attempt: those of earlier ones belong to other results. */
function describeWork({ attempts, durationMs, waitMs, usage, cost: whole }: StepReport): string[] {
  const last = attempts.at(-1);
  const times = last === undefined ? { workMs: durationMs, waitMs } : timesOf(last);
  const tokens = (last?.usage ?? usage)?.total ?? 0;
  const cost = last?.cost ?? whole;
  return [
    formatSeconds(times.workMs),
    ...(times.waitMs < SHORTEST_WAIT_MS ? [] : [`waited ${formatSeconds(times.waitMs)}`]),
    `${formatThousands(tokens)} tokens`,
    ...(cost?.usd === undefined || tokens === 0 ? [] : [describeCostShortly(cost)]),
  ];
}

/** Names the worker of the last attempt. Empty without a queue. */
function describeWorker({ attempts }: StepReport): string[] {
  const job = attempts.at(-1)?.job;
  return job === undefined ? [] : [`on ${cleanName(job.worker)}`];
}

function timesOf({ startedAt, endedAt, mergedAt, waitedMs = 0 }: AttemptReport) {
  const endMs = Date.parse(endedAt ?? startedAt);
  return {
    workMs: endMs - Date.parse(startedAt) - waitedMs,
    waitMs: waitedMs + (mergedAt === undefined ? 0 : Date.parse(mergedAt) - endMs),
  };
}

/** Describes time and tokens of all attempts, if there is more than one. */
function describeSum({ attempts, durationMs, usage }: StepReport): string[] {
  // The time and the tokens of an attempt that a kill has cut off are not known.
  const known = attempts.filter(({ outcome }) => outcome !== 'interrupted').length;
  const cut = attempts.length - known;
  if (known < 2) return cut === 0 ? [] : [`${countOf(cut, 'attempt')} interrupted before`];
  const sum = `${formatSeconds(durationMs)}, ${formatThousands(usage?.total ?? 0)} tokens`;
  const rest = cut === 0 ? '' : `, and ${cut} interrupted`;
  return [`all ${known} attempts: ${sum}${rest}`];
}
