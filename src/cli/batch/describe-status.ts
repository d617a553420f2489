import type { ProviderErrorData } from '../../api/error.js';
import { cleanName } from '../../base/text/clean-text.js';
import { countOf } from '../../base/text/count-of.js';
import { formatCountdown, formatSeconds, formatThousands } from '../output/format-numbers.js';
import type { Paint } from '../output/output.js';
import { describeHint, remarkOnFlags, rewriteHint } from '../output/terminal-hint.js';
import type { BatchStatus } from './collect-status.js';
import { describePause } from './describe-pause.js';
import { describeWorkers } from './worker-counts.js';

/** Maximum number of failures, retries and interrupted steps that are named. */
const MOST_NAMED = 10;

/** Describes the status as text. `errors` has the errors of the failed steps with what their hints refer to. */
export function describeStatus(
  status: BatchStatus,
  paint: Paint,
  nowMs: number,
  errors: ReadonlyMap<string, ProviderErrorData | undefined> = new Map(),
): string {
  const { counts, total, running, failures, stop } = status;
  const hints = failures.slice(0, MOST_NAMED).map(({ hint }) => hint);
  const more = failures.length - MOST_NAMED;
  const shown = failures.slice(0, MOST_NAMED).flatMap((failure) => {
    const { id, code, message } = failure;
    const [hint, ...details] = describeHint(errors.get(id) ?? failure, 'batch', paint);
    return [
      `${paint.red('✗')} ${cleanName(id)} ${paint.red(code)} ${cleanName(message)}`,
      paint.dim(`  ${hint}`),
      ...details,
    ];
  });
  const width = Math.max(0, ...running.map(({ id }) => id.length));
  return [
    `${paint.bold(cleanName(status.name))}: ${describeState(status, paint, nowMs)}`,
    [
      `${counts.succeeded} of ${total} steps succeeded`,
      ...Object.entries(counts).flatMap(([state, count]) => {
        return state === 'succeeded' || count === 0 ? [] : [`${count} ${state}`];
      }),
      `${formatThousands(status.tokens)} tokens`,
    ].join(' · '),
    ...(status.workers === undefined ? [] : [describeWorkers(status.workers)]),
    ...running.map(({ id, attempt, forMs, activity, worker }) => {
      const on = worker === undefined ? '' : ` on ${cleanName(worker)}`;
      const number = attempt > 1 ? ` attempt ${attempt}` : '';
      return `${paint.cyan('→')} ${cleanName(id).padEnd(width)} ${formatSeconds(forMs)}${number}${on} ${paint.dim(cleanName(activity))}`;
    }),
    ...describePace(status, nowMs).map((line) => paint.yellow(line)),
    ...describeInterrupted(status.interrupted).map((line) => paint.yellow(line)),
    ...shown,
    ...(more > 0 ? [paint.dim(`  and ${more} more failures`)] : []),
    ...remarkOnFlags(hints).map((line) => paint.dim(line)),
    ...(stop === undefined
      ? []
      : [`${paint.yellow('→')} Stopped: ${rewriteHint(stop.message, 'batch')}`]),
  ].join('\n');
}

/** Describes what holds up the steps: a rate limit, and delays before retries. */
function describePace(
  { retrying, pausedUntil, pauseCause = 'rate-limit', limit }: BatchStatus,
  nowMs: number,
): string[] {
  const pauseMs = pausedUntil === undefined ? 0 : Date.parse(pausedUntil) - nowMs;
  const parts = [
    ...(pauseMs > 0 ? [`no step starts for ${formatCountdown(pauseMs)}`] : []),
    ...(limit === undefined ? [] : [`at most ${countOf(limit, 'step')} at a time`]),
  ];
  const more = retrying.length - MOST_NAMED;
  return [
    ...(parts.length === 0
      ? []
      : [`! ${describePause(pauseMs > 0 ? pauseCause : 'rate-limit')}: ${parts.join(', ')}`]),
    ...retrying.slice(0, MOST_NAMED).map(({ id, code, attempt, inMs }) => {
      return `↻ ${cleanName(id)} ${code}, attempt ${attempt} in ${formatCountdown(inMs)}`;
    }),
    ...(more > 0 ? [`  and ${more} more wait for a retry`] : []),
  ];
}

/** Names the steps that a kill has cut off. */
function describeInterrupted(ids: readonly string[]): string[] {
  if (ids.length === 0) return [];
  const named = ids.slice(0, MOST_NAMED).map(cleanName).join(', ');
  const more = ids.length - MOST_NAMED;
  return [`! interrupted, will begin again: ${named}${more > 0 ? ` and ${more} more` : ''}`];
}

function describeState(status: BatchStatus, paint: Paint, nowMs: number): string {
  const { state, owner, outcome, lastEntryAt, startedAt } = status;
  const who = owner && `process ${owner.pid} on ${cleanName(owner.host)}`;
  const lasted = formatSeconds(Math.max(0, nowMs - Date.parse(startedAt)));
  if (state === 'running') {
    return `${paint.green('running')} for ${lasted} (${who}, since ${owner?.since})`;
  }
  if (state === 'silent') {
    return paint.yellow(`not answering (${who ?? 'owner unknown'}), last sign at ${lastEntryAt}`);
  }
  if (state === 'killed') {
    return `${paint.red('not running: killed')} (last line of the ledger at ${lastEntryAt}${who === undefined ? '' : `, ${who}`})`;
  }
  const color = outcome === 'succeeded' ? paint.green : paint.red;
  return `not running: ${color(outcome)} at ${lastEntryAt}`;
}
