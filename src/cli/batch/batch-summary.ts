import type { BatchReport } from '../../api/batch-report.js';
import type { StepReport } from '../../api/step-report.js';
import { cleanName } from '../../base/text/clean-text.js';
import { countOf } from '../../base/text/count-of.js';
import { describeCost } from '../../base/usage/describe-cost.js';
import { countStates } from '../../batch/ledger/count-states.js';
import { formatSeconds, formatThousands } from '../output/format-numbers.js';
import type { Paint } from '../output/output.js';
import { describeHint, remarkOnFlags, rewriteHint } from '../output/terminal-hint.js';
import { describeSkip, describeStep } from './batch-lines.js';
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
  // Steps that the run was told to leave out have failed earlier. The numbers count them.
  const selected = steps.filter(({ leftOut }) => leftOut !== true);
  const failed = selected.filter(({ state }) => state === 'failed');
  const shown = failed.slice(0, MOST_FAILURES).flatMap((step) => describeFailure(step, paint));
  const hints = failed.slice(0, MOST_FAILURES).map(({ error }) => error?.hint ?? '');
  const more = failed.length - MOST_FAILURES;
  const workers = countWorkers(steps);
  const mayResume = resumeCommand !== undefined && outcome !== 'succeeded';
  return [
    ...shown,
    ...(more > 0 ? [paint.dim(`  and ${countOf(more, 'more failure')}`)] : []),
    ...remarkOnFlags(hints).map((line) => paint.dim(line)),
    ...describeSkips(selected).map((line) => paint.dim(line)),
    ...(workers.length === 0 ? [] : [paint.dim(describeWorkers(workers))]),
    `${paint.bold(color(`${outcome}:`))} ${describeNumbers(report, selected)}`,
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

function describeNumbers(report: BatchReport, selected: readonly StepReport[]): string {
  const { steps, files, usage, cost, durationMs } = report;
  const { succeeded, ...others } = countStates(selected);
  const isPart = selected.length < steps.length;
  const total = countOf(selected.length, isPart ? 'selected step' : 'step');
  const reused = selected.filter((step) => step.reused).length;
  return [
    succeeded === selected.length ? total : `${succeeded} of ${total} succeeded`,
    ...(reused === 0 ? [] : [`${reused} reused`]),
    ...listCounts(others),
    ...(isPart ? [describeLeftOut(steps)] : []),
    countOf(files.length, 'file'),
    `${formatThousands(usage.total)} tokens`,
    ...(cost === undefined || usage.total === 0 ? [] : [describeCost(cost)]),
    `${formatSeconds(durationMs)}${describeTimes(steps)}`,
  ].join(' · ');
}

/** Lists how many steps are in each state. After the end of a batch no step is being merged: the next run merges them. */
function listCounts(counts: Readonly<Record<string, number>>): string[] {
  return Object.entries(counts).flatMap(([state, count]) =>
    count > 0 ? [`${count} ${state === 'merging' ? 'saved and not merged' : state}`] : [],
  );
}

/** Describes the steps that the run was told to leave out, with what earlier runs have left. */
function describeLeftOut(steps: readonly StepReport[]): string {
  const leftOut = steps.filter((step) => step.leftOut === true);
  const never = leftOut.filter(({ skip }) => skip?.reason === 'selection').length;
  const { skipped, ...counts } = countStates(leftOut);
  const states = listCounts({ ...counts, skipped: skipped - never });
  const earlier = states.length === 0 ? '' : ` (${states.join(', ')} in earlier runs)`;
  return `${leftOut.length} not selected${earlier}`;
}

/** Describes the time that all steps have worked and waited, which is more than the time of the batch. */
function describeTimes(steps: readonly StepReport[]): string {
  const workMs = steps.reduce((sum, step) => sum + step.durationMs, 0);
  const waitMs = steps.reduce((sum, step) => sum + step.waitMs, 0);
  if (workMs === 0) return '';
  const waited = waitMs === 0 ? '' : `, waited ${formatSeconds(waitMs)}`;
  return ` (the steps worked ${formatSeconds(workMs)}${waited})`;
}
