import type { BatchEvent } from '../api/batch-event.js';
import type { BatchReport } from '../api/batch-report.js';
import type { StepReport } from '../api/step-report.js';
import { cleanLine, cleanText } from '../base/text/clean-text.js';
import { countOf } from '../base/text/count-of.js';
import type { Paint } from './output.js';

/** Maximum number of failures in the summary. The report page lists all. */
const MOST_FAILURES = 10;

/** Returns the progress line of an event; undefined for an event that is not printed. */
export function describeBatchEvent(event: BatchEvent, paint: Paint): string | undefined {
  switch (event.type) {
    case 'batch-started': {
      const how = event.isFresh ? '' : ', resumed';
      return paint.dim(
        `Batch ${cleanLine(event.name)}: ${countOf(event.steps.length, 'step')}${how}`,
      );
    }
    case 'step-started':
      return event.attempt === 1
        ? `${paint.cyan('→')} ${cleanLine(event.stepId)}`
        : `${paint.cyan('→')} ${cleanLine(event.stepId)} ${paint.dim(`attempt ${event.attempt}`)}`;
    case 'step-retry':
      return `${paint.yellow('↻')} ${cleanLine(event.stepId)} ${event.code}: ${cleanLine(event.message)} ${paint.dim(`(retry in ${formatSeconds(event.delayMs)})`)}`;
    case 'step-finished':
      // Reused steps get no line: there may be a thousand, and none of them ran. The summary counts them.
      return event.report.reused ? undefined : describeStep(event.report, paint);
    case 'concurrency':
      return paint.dim(`Concurrency is now ${event.limit}`);
    case 'paused':
      return paint.yellow(
        `Paused until ${new Date(event.untilMs).toISOString().slice(11, 19)} UTC`,
      );
    case 'stopping':
      return paint.yellow(`Stopping: ${cleanText(event.stop.message)}`);
    case 'warning':
      return `${paint.yellow('Warning:')} ${cleanText(event.warning.message)}`;
    default:
      return undefined;
  }
}

function describeStep(report: StepReport, paint: Paint): string {
  const { state, durationMs, usage, files, error, skip, skippedBecauseOf = '' } = report;
  // The id of a matrix step contains a file name, which may contain control characters.
  const id = cleanLine(report.id);
  if (state === 'skipped') {
    const reason = skip === undefined ? `because ${skippedBecauseOf} failed` : `(${skip.message})`;
    return paint.dim(`- ${id} skipped ${cleanLine(reason)}`);
  }
  if (state === 'cancelled' || state === 'pending') return paint.dim(`- ${id} ${state}`);
  if (state === 'failed') {
    return `${paint.red('✗')} ${id} ${paint.red(error?.code ?? '')} ${cleanLine(error?.message ?? '')}`;
  }
  const facts = [
    formatSeconds(durationMs),
    `${usage?.total ?? 0} tokens`,
    countOf(files.length, 'file'),
  ];
  return `${paint.green('✓')} ${id} ${paint.dim(facts.join(' · '))}`;
}

/** Returns the summary of a batch: failures with their hints, the outcome with its numbers, and the report file. */
export function describeReport(report: BatchReport, pageFile: string, paint: Paint): string {
  const { stop, outcome, steps } = report;
  const color = outcome === 'succeeded' ? paint.green : paint.red;
  const failed = steps.filter(({ state }) => state === 'failed');
  const more = failed.length - MOST_FAILURES;
  return [
    ...failed.slice(0, MOST_FAILURES).flatMap((step) => describeFailure(step, paint)),
    ...(more > 0 ? [paint.dim(`  and ${countOf(more, 'more failure')}`)] : []),
    `${paint.bold(color(outcome))} ${describeNumbers(report)}`,
    ...(stop === undefined ? [] : [`${paint.yellow('→')} ${cleanText(stop.message)}`]),
    `Report: ${pageFile}`,
  ].join('\n');
}

function describeFailure(step: StepReport, paint: Paint): string[] {
  const hint = cleanLine(step.error?.hint ?? '');
  return [describeStep(step, paint), ...(hint === '' ? [] : [paint.dim(`  ${hint}`)])];
}

function describeNumbers({ counts, steps, files, usage, durationMs }: BatchReport): string {
  const { succeeded, ...others } = counts;
  const rest = Object.entries(others).filter(([, count]) => count > 0);
  const total = countOf(steps.length, 'step');
  const reused = steps.filter((step) => step.reused).length;
  return [
    succeeded === steps.length ? total : `${succeeded} of ${total} succeeded`,
    ...(reused === 0 ? [] : [`${reused} reused`]),
    ...rest.map(([state, count]) => `${count} ${state}`),
    countOf(files.length, 'file'),
    `${usage.total} tokens`,
    formatSeconds(durationMs),
  ].join(' · ');
}

export function formatSeconds(ms: number): string {
  const tenths = Math.round(ms / 100);
  if (tenths < 600) return `${(tenths / 10).toFixed(1)} s`;
  const whole = Math.round(ms / 1000);
  return `${Math.floor(whole / 60)} min ${whole % 60} s`;
}
