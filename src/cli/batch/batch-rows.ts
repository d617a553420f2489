import { cleanName } from '../../base/text/clean-text.js';
import { describeCostShortly } from '../../base/usage/describe-cost.js';
import { fitMiddle, fitWidth, widthOf } from '../output/fit-width.js';
import { formatCountdown, formatSeconds, formatThousands } from '../output/format-numbers.js';
import type { Paint } from '../output/output.js';
import type { BatchProgress, StepRow } from './batch-progress.js';
import { describePause } from './describe-pause.js';

/** Texts beyond this length are not looked at: no terminal row is longer. */
const MOST_CHARACTERS = 2_000;
const NARROWEST_NAME = 6;
/** Columns with which a name still tells its step from others. */
const READABLE_NAME = 10;
/** Maximum number of steps whose retry is described. */
const MOST_RETRIES = 5;
/** Columns for the number of steps that are not named: ` · 99999 more`. */
const MORE_COLUMNS = 13;
/**
 * Shorter activities are shown whole, and the name is shortened instead: such an activity is a phrase, not a path. On a narrow
 * terminal, the name keeps half of the row: names tell the rows apart.
 */
const WHOLE_ACTIVITY = 24;

export interface ViewSize {
  readonly columns: number;
  readonly rows: number;
  readonly paint: Paint;
}

/** Renders a row for each step at work, one for the finished ones, one for retries, and the progress bar. */
export function renderBatchView(progress: BatchProgress, nowMs: number, size: ViewSize): string[] {
  const most = Math.max(1, size.rows);
  const { paint } = size;
  // The last column stays free, because some terminals wrap there.
  const columns = size.columns - 1;
  const fold = [describeFinishing(progress, columns), describeRetrying(progress, nowMs, columns)]
    .filter((text) => text !== undefined)
    .map((text) => paint.dim(fitMiddle(text, columns)))
    .slice(0, most - 1);
  const room = most - 1 - fold.length;
  const steps = progress.atWork;
  const shown = steps.slice(0, steps.length <= room ? room : Math.max(0, room - 1));
  const hidden = steps.length - shown.length;
  return [
    ...shown.map((step) => renderStep(step, nowMs, columns, paint)),
    ...(hidden > 0 && room > 0 ? [paint.dim(fitWidth(`  and ${hidden} more`, columns))] : []),
    ...fold,
    renderTotal(progress, nowMs, columns, paint),
  ];
}

function renderStep(step: StepRow, nowMs: number, columns: number, paint: Paint): string {
  const isWaiting = step.phase.kind === 'slot' || step.phase.kind === 'queue';
  const sign = isWaiting ? '·' : '→';
  const time = describeTime(step, nowMs);
  // Six columns: the sign, and what stands between the parts.
  const room = columns - widthOf(time) - 6;
  const wanted = clean(`${step.id}${describeTry(step)}`);
  if (room < NARROWEST_NAME) return fitMiddle(`${sign} ${wanted}`, columns);
  const activity = clean(describePhase(step, nowMs));
  const isWhole = widthOf(activity) <= WHOLE_ACTIVITY && room - widthOf(activity) >= READABLE_NAME;
  const half = isWhole ? 0 : Math.floor(room / 2);
  const name = fitMiddle(wanted, Math.max(NARROWEST_NAME, half, room - widthOf(activity)));
  const shorten = widthOf(activity) <= WHOLE_ACTIVITY ? fitWidth : fitMiddle;
  const facts = `${shorten(activity, room - widthOf(name))} · ${time}`;
  return `${isWaiting ? sign : paint.cyan(sign)} ${name} ${paint.dim(facts)}`;
}

/** Describes the attempt of a step that is not its first one in this run. */
function describeTry({ attempt, mostAttempts, isFallback, model }: StepRow): string {
  if (attempt === 1) return '';
  if (isFallback) return ` (attempt ${attempt} with ${model})`;
  return mostAttempts === undefined ? ` (attempt ${attempt})` : ` (${attempt} of ${mostAttempts})`;
}

/** Describes what a step does or waits for. */
export function describePhase({ phase, worker }: StepRow, nowMs: number): string {
  if (phase.kind === 'queue') return 'waiting in the queue';
  const on = worker === undefined ? '' : `${worker}: `;
  if (phase.kind === 'work') return `${on}${phase.text}`;
  if (phase.kind === 'rate-limit')
    return `${on}rate limited, ${formatCountdown(phase.untilMs - nowMs)}`;
  return `${on}waiting for a slot`;
}

export function describeTime({ phase, startedMs }: StepRow, nowMs: number): string {
  return formatSeconds(nowMs - ('sinceMs' in phase ? phase.sinceMs : startedMs));
}

/** Describes the steps whose agent has finished; undefined if there are none. Names are shortened to the columns. */
export function describeFinishing(
  { finishing }: BatchProgress,
  columns = Number.POSITIVE_INFINITY,
): string | undefined {
  const merging = finishing.filter(({ phase }) => phase.kind === 'merging');
  const saving = finishing.filter(({ phase }) => phase.kind === 'ending');
  const waiting = finishing.flatMap(({ phase }) => (phase.kind === 'merge' ? [phase] : []));
  const behind = new Set(waiting.flatMap((phase) => phase.behind ?? []));
  const [first] = behind;
  const others = behind.size > 1 ? ' and others' : '';
  const [one] = merging;
  const parts = [
    ...(waiting.length === 0 ? [] : [`${waiting.length} finished, waiting to be merged`]),
    ...(saving.length === 0 ? [] : [`${saving.length} finished, being saved`]),
  ];
  if (one !== undefined) {
    parts.unshift(merging.length === 1 ? `merging ${clean(one.id)}` : `merging ${merging.length}`);
  }
  if (parts.length === 0) return undefined;
  const text = `  ${parts.join(' · ')}`;
  const room = columns - widthOf(`${text} behind ${others}`);
  if (first === undefined || saving.length > 0 || room < NARROWEST_NAME) return text;
  return `${text} behind ${fitMiddle(clean(first), room)}${others}`;
}

/** Describes the steps that wait for their next attempt; undefined if there are none. Names as many as fit. */
export function describeRetrying(
  { retrying }: BatchProgress,
  nowMs: number,
  columns = Number.POSITIVE_INFINITY,
): string | undefined {
  const [first, ...others] = retrying.slice(0, MOST_RETRIES).map((step) => {
    return describeRetry(step, nowMs);
  });
  if (first === undefined) return undefined;
  const room = columns - widthOf(`↻ ${first.what} `) - (retrying.length > 1 ? MORE_COLUMNS : 0);
  if (room < NARROWEST_NAME) return `↻ ${retrying.length} waiting for a retry`;
  let text = `↻ ${fitMiddle(first.name, room)} ${first.what}`;
  let shown = 1;
  for (const { name, what } of others) {
    const longer = `${text} · ${name} ${what}`;
    if (widthOf(longer) > columns - MORE_COLUMNS) break;
    text = longer;
    shown++;
  }
  const rest = retrying.length - shown;
  return rest > 0 ? `${text} · ${rest} more` : text;
}

function describeRetry({ id, attempt, mostAttempts, phase }: StepRow, nowMs: number) {
  const name = clean(id);
  if (phase.kind !== 'retry') return { name, what: '' };
  const reason = phase.code === 'RATE_LIMITED' ? 'rate limited' : phase.code;
  const most = mostAttempts === undefined ? '' : ` of ${mostAttempts}`;
  const next = `${attempt + 1}${phase.model === undefined ? most : ` with ${clean(phase.model)}`}`;
  const when = formatCountdown(phase.untilMs - nowMs);
  return { name, what: `${reason}, attempt ${next} in ${when}` };
}

function renderTotal(
  progress: BatchProgress,
  nowMs: number,
  columns: number,
  paint: Paint,
): string {
  const { finished, total } = progress;
  const barColumns = barWidth(columns);
  const filled = total === 0 ? 0 : Math.round((finished / total) * barColumns);
  const bar = `${'█'.repeat(filled)}${'░'.repeat(barColumns - filled)}`;
  const room = barColumns === 0 ? columns : columns - barColumns - 1;
  const [count = '', ...facts] = listFacts(progress, nowMs);
  let text = fitWidth(count, room);
  // A fact is shown whole or not at all.
  for (const fact of facts) {
    const longer = `${text} · ${fact}`;
    if (widthOf(longer) <= room) text = longer;
  }
  return barColumns === 0 ? text : `${paint.green(bar)} ${text}`;
}

function barWidth(columns: number): number {
  if (columns >= 79) return 24;
  return columns >= 50 ? 10 : 0;
}

/** Lists the facts about the whole batch, the most important ones first. */
function listFacts(progress: BatchProgress, nowMs: number): string[] {
  const { finished, total, counts, tokens, cost, limit, plan } = progress;
  const remaining = progress.remainingMs(nowMs);
  const pause = progress.pausedUntilMs - nowMs;
  const queued = progress.atWork.filter(({ phase }) => phase.kind === 'queue').length;
  return [
    `${finished}/${total}`,
    ...(counts.failed > 0 ? [`${counts.failed} failed`] : []),
    ...(progress.isStopping ? ['stopping'] : []),
    ...(queued > 0 ? [`${queued} in the queue`] : []),
    ...(pause > 0 ? [`${describePause(progress.pauseCause)}, ${formatCountdown(pause)}`] : []),
    formatSeconds(nowMs - progress.startedMs),
    ...(remaining === undefined || finished === total ? [] : [`${formatSeconds(remaining)} left`]),
    `${formatThousands(tokens)} tokens`,
    ...(cost?.usd === undefined ? [] : [`${describeCostShortly(cost)} list price`]),
    ...(counts.skipped > 0 ? [`${counts.skipped} skipped`] : []),
    ...(limit === undefined ? [] : [`concurrency ${limit}${describeMost(plan.concurrency)}`]),
    `${progress.stepsPerMinute(nowMs).toFixed(1)} steps/min`,
  ];
}

function describeMost(concurrency: number | undefined): string {
  return concurrency === undefined ? '' : ` of ${concurrency}`;
}

function clean(text: string): string {
  return cleanName(text.slice(0, MOST_CHARACTERS)).trim();
}
