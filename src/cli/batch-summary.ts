import type { BatchReport } from '../api/batch-report.js';
import type { StepReport } from '../api/step-report.js';
import { cleanName } from '../base/text/clean-text.js';
import { countOf } from '../base/text/count-of.js';
import { describeSkip, describeStep } from './batch-lines.js';
import { formatSeconds, formatThousands } from './format-numbers.js';
import type { Paint } from './output.js';
import { describeHint, remarkOnFlags, rewriteHint } from './terminal-hint.js';
import { countWorkers, describeWorkers } from './worker-counts.js';

/** Maximum number of failures in the summary. The report page lists all. */
const MOST_FAILURES = 10;
/** Maximum number of reasons for skipped steps, and of steps that are named for each of them. */
const MOST_SKIP_REASONS = 5;
const MOST_SKIPPED_IDS = 3;

export interface SummaryOptions {
  readonly pageFile: string;
  /** Command that resumes the batch. Undefined if it is not known. */
  readonly resumeCommand?: string | undefined;
  readonly paint: Paint;
}

/**
 * Returns the summary of a batch: failures with their hints, skipped steps with their reasons, the outcome with its
 * numbers, the report file, and the command that resumes the batch.
 */
export function describeReport(
  report: BatchReport,
  { pageFile, resumeCommand, paint }: SummaryOptions,
): string {
  const { stop, outcome, steps } = report;
  const color = outcome === 'succeeded' ? paint.green : paint.red;
  const failed = steps.filter(({ state }) => state === 'failed');
  const shown = failed.slice(0, MOST_FAILURES).flatMap((step) => describeFailure(step, paint));
  const hints = failed.slice(0, MOST_FAILURES).map(({ error }) => error?.hint ?? '');
  const more = failed.length - MOST_FAILURES;
  const workers = countWorkers(steps);
  const mayResume = resumeCommand !== undefined && outcome !== 'succeeded';
  return [
    ...shown,
    ...(more > 0 ? [paint.dim(`  and ${countOf(more, 'more failure')}`)] : []),
    ...remarkOnFlags(hints).map((line) => paint.dim(line)),
    ...describeSkips(steps).map((line) => paint.dim(line)),
    ...(workers.length === 0 ? [] : [paint.dim(describeWorkers(workers))]),
    `${paint.bold(color(outcome))} ${describeNumbers(report)}`,
    ...(stop === undefined ? [] : [`${paint.yellow('→')} ${rewriteHint(stop.message, 'batch')}`]),
    `Report: ${pageFile}`,
    ...(mayResume ? [`Resume: ${cleanName(resumeCommand)}`] : []),
  ].join('\n');
}

function describeFailure(step: StepReport, paint: Paint): string[] {
  const { error } = step;
  if (error === undefined || error.hint === '') return [describeStep(step, paint)];
  const [hint, ...details] = describeHint(error, 'batch', paint);
  return [describeStep(step, paint), paint.dim(`  ${hint}`), ...details];
}

/** Describes the skipped steps, one line for each reason. */
function describeSkips(steps: readonly StepReport[]): string[] {
  const byReason = new Map<string, string[]>();
  for (const step of steps) {
    if (step.state !== 'skipped') continue;
    const reason = describeSkip(step);
    const ids = byReason.get(reason);
    if (ids === undefined) byReason.set(reason, [step.id]);
    else ids.push(step.id);
  }
  const lines = [...byReason].slice(0, MOST_SKIP_REASONS).map(([reason, ids]) => {
    const named = ids.slice(0, MOST_SKIPPED_IDS).map(cleanName).join(', ');
    const more = ids.length - MOST_SKIPPED_IDS;
    return `- ${ids.length} ${reason}: ${named}${more > 0 ? ` and ${more} more` : ''}`;
  });
  const rest = byReason.size - MOST_SKIP_REASONS;
  return rest > 0 ? [...lines, `- and steps that were skipped for ${rest} other reasons`] : lines;
}

function describeNumbers(report: BatchReport): string {
  const { counts, steps, files, usage, durationMs } = report;
  const { succeeded, ...others } = counts;
  const rest = Object.entries(others).filter(([, count]) => count > 0);
  const total = countOf(steps.length, 'step');
  const reused = steps.filter((step) => step.reused).length;
  return [
    succeeded === steps.length ? total : `${succeeded} of ${total} succeeded`,
    ...(reused === 0 ? [] : [`${reused} reused`]),
    ...rest.map(([state, count]) => `${count} ${state}`),
    countOf(files.length, 'file'),
    `${formatThousands(usage.total)} tokens`,
    `${formatSeconds(durationMs)}${describeTimes(steps)}`,
  ].join(' · ');
}

/** Describes the time that all steps have worked and waited, which is more than the time of the batch. */
function describeTimes(steps: readonly StepReport[]): string {
  const workMs = steps.reduce((sum, step) => sum + step.durationMs, 0);
  const waitMs = steps.reduce((sum, step) => sum + step.waitMs, 0);
  if (workMs === 0) return '';
  const waited = waitMs === 0 ? '' : `, waited ${formatSeconds(waitMs)}`;
  return ` (the steps worked ${formatSeconds(workMs)}${waited})`;
}
