import { cleanLine, cleanName } from '../../base/text/clean-text.js';
import { countOf } from '../../base/text/count-of.js';
import type { StepWorkerEvent } from '../../queue/worker/step-worker-event.js';
import { formatClock, formatSeconds } from '../output/format-numbers.js';
import type { Paint } from '../output/output.js';

/** Characters of a job's id in a line. */
const SHOWN_ID = 12;
const LONGEST_PROMPT = 80;

/** Returns the line of an event of a worker. `prompt` is that of the job that has ended. */
export function describeWorkerEvent(event: StepWorkerEvent, paint: Paint, prompt = ''): string {
  switch (event.type) {
    case 'ready': {
      const line = `${paint.green('●')} Worker ${paint.bold(cleanName(event.worker))} takes steps from ${cleanName(event.url)}`;
      const who = paint.dim(`  ${cleanName(describeReady(event).join(' · '))}`);
      return [
        line,
        who,
        ...event.notes.map((note) => `${paint.yellow('!')} ${cleanName(note)}`),
      ].join('\n');
    }
    case 'job-started': {
      const { jobId, attempt, prompt, waitMs } = event;
      const facts = [
        ...(attempt > 1 ? [`attempt ${attempt}`] : []),
        `after ${formatSeconds(waitMs)} in the queue`,
      ];
      return `${paint.cyan('→')} ${shortId(jobId)} ${shortPrompt(prompt)} ${paint.dim(facts.join(' · '))}`;
    }
    case 'job-finished':
      return describeEnd(event, paint, prompt);
    case 'queue-paused':
      return paint.yellow(
        `${event.code}: the queue is paused until ${formatClock(Date.parse(event.until))}: ${cleanName(event.message)}`,
      );
    case 'admission-stopped':
      return paint.red(describeStop(event));
    case 'store-connection':
      return event.isConnected
        ? paint.green(`Connected to the store: ${cleanName(event.message)}`)
        : paint.yellow(
            `No connection to the store: ${cleanName(event.message)}. Running steps end if it is not there before their locks are over`,
          );
    case 'store-problem':
      return paint.red(
        `${event.code}: this worker takes no steps until the store works again: ${cleanName(event.message)}`,
      );
    case 'draining':
      return paint.yellow(
        event.running === 0
          ? 'Draining: no step runs'
          : `Draining: takes no more steps, waits for ${countOf(event.running, 'running step')}`,
      );
    case 'closed':
      return paint.dim('The worker has ended');
  }
}

/** Describes why a worker takes no steps, and until when. */
function describeStop({
  code,
  message,
  until,
}: StepWorkerEvent & { readonly type: 'admission-stopped' }): string {
  const text = cleanName(message);
  if (until !== undefined)
    return `This worker takes no steps until ${formatClock(Date.parse(until))}: ${text}`;
  // The secret of the worker is in doubt, and other workers may have the one of the job.
  if (code === 'INVALID_CONFIG')
    return `${code}: this worker takes no steps until there is one with its own secret: ${text}. Give callers and workers the same secret.`;
  return `${code}: this worker takes no more steps: ${text}. Repair it and start the worker again.`;
}

/** Describes who the worker is, and what its steps may do. */
function describeReady({
  queue,
  concurrency,
  labels,
  isSigned,
  allow: { approvalMode, allowedTools, weakerProtection, commands },
}: StepWorkerEvent & { readonly type: 'ready' }): string[] {
  return [
    `queue ${queue}`,
    `${countOf(concurrency, 'step')} at a time`,
    labels.length === 0 ? 'no labels' : `labels ${labels.join(', ')}`,
    isSigned ? 'signed jobs only' : 'unsigned jobs',
    `approval mode up to ${approvalMode}`,
    ...(allowedTools.length === 0 ? [] : [`tools ${allowedTools.join(', ')}`]),
    ...(weakerProtection ? ['redirection and protected paths as the step says'] : []),
    commands ? 'commands of steps' : 'no commands of steps',
  ];
}

function describeEnd(
  event: StepWorkerEvent & { readonly type: 'job-finished' },
  paint: Paint,
  prompt: string,
): string {
  const { jobId, outcome, code, message, durationMs } = event;
  const id = `${shortId(jobId)}${prompt === '' ? '' : ` ${shortPrompt(prompt)}`}`;
  const time = paint.dim(formatSeconds(durationMs));
  switch (outcome) {
    case 'succeeded':
      return `${paint.green('✓')} ${id} ${time}`;
    case 'failed':
      return `${paint.red('✗')} ${id} ${paint.red(code ?? 'UNKNOWN')} ${cleanName(message ?? '')} ${time}`;
    case 'lost':
      return `${paint.yellow('!')} ${id} is lost, its result does not count: ${cleanName(message ?? 'the job was taken from this worker')} ${time}`;
    case 'returned':
      return `${paint.yellow('↩')} ${id} is back on the queue${code === undefined ? '' : ` after ${code}`} ${time}`;
  }
}

export function shortId(id: string): string {
  return cleanName(id.slice(0, SHOWN_ID));
}

export function shortPrompt(prompt: string): string {
  const line = cleanLine(prompt);
  return line.length > LONGEST_PROMPT ? `${line.slice(0, LONGEST_PROMPT - 1)}…` : line;
}
