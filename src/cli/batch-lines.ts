import type { BatchEvent } from '../api/batch-event.js';
import type { BatchReport, StepReport } from '../api/batch-report.js';
import { cleanLine, cleanText } from '../sessions/transcript/clean-text.js';
import type { Paint } from './output.js';

/** The page has them all. */
const MOST_FAILURES = 10;

/** A line for what a person wants to know of a batch; undefined for the rest. */
export function describeBatchEvent(event: BatchEvent, paint: Paint): string | undefined {
  switch (event.type) {
    case 'batch-started': {
      const how = event.isFresh ? '' : ', going on where it was left';
      return paint.dim(
        `batch ${cleanLine(event.name)}: ${countOf(event.steps.length, 'step')}${how}`,
      );
    }
    case 'step-started':
      return event.attempt === 1
        ? `${paint.cyan('→')} ${cleanLine(event.stepId)}`
        : `${paint.cyan('→')} ${cleanLine(event.stepId)} ${paint.dim(`attempt ${event.attempt}`)}`;
    case 'step-retry':
      return `${paint.yellow('↻')} ${cleanLine(event.stepId)} ${event.code}: ${cleanLine(event.message)} ${paint.dim(`again in ${formatSeconds(event.delayMs)}`)}`;
    case 'step-finished':
      // There may be a thousand of them, and nothing has happened. The end has their number.
      return event.report.reused ? undefined : describeStep(event.report, paint);
    case 'concurrency':
      return paint.dim(`${event.limit} at a time from now on`);
    case 'paused':
      return paint.yellow(`paused until ${new Date(event.untilMs).toISOString().slice(11, 19)}`);
    case 'stopping':
      return paint.yellow(`stopping: ${cleanText(event.stop.message)}`);
    case 'warning':
      return `${paint.yellow('warning')} ${cleanText(event.warning.message)}`;
    default:
      return undefined;
  }
}

function describeStep(report: StepReport, paint: Paint): string {
  const { state, durationMs, usage, files, error, skippedBecauseOf = '' } = report;
  // One from a matrix has the name of a file in it, and that may be anything.
  const id = cleanLine(report.id);
  if (state === 'skipped')
    return paint.dim(`- ${id} skipped because ${cleanLine(skippedBecauseOf)} failed`);
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

/** The end of it all. */
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
    `report: ${pageFile}`,
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
    succeeded === steps.length ? total : `${succeeded} of ${total} done`,
    ...(reused === 0 ? [] : [`${reused} done before`]),
    ...rest.map(([state, count]) => `${count} ${state}`),
    countOf(files.length, 'file'),
    `${usage.total} tokens`,
    formatSeconds(durationMs),
  ].join(' · ');
}

function countOf(count: number, name: string): string {
  return `${count} ${name}${count === 1 ? '' : 's'}`;
}

export function formatSeconds(ms: number): string {
  const tenths = Math.round(ms / 100);
  if (tenths < 600) return `${(tenths / 10).toFixed(1)} s`;
  const whole = Math.round(ms / 1000);
  return `${Math.floor(whole / 60)} min ${whole % 60} s`;
}
