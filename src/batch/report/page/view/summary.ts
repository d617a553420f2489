import type { BatchReport } from '../../../../api/batch-report.js';
import { describeCostShortly } from '../../../../base/usage/describe-cost.js';
import {
  formatBytes,
  formatCompact,
  formatCount,
  formatDuration,
  formatLater,
  formatNumber,
  formatTime,
} from '../../../../web/model/format.js';
import { type Child, h } from '../../../../web/view/element.js';
import { prose } from '../../../../web/view/prose.js';
import type { PageModel } from '../model/page-model.js';
import { ALL_FILES, ALL_STEPS, FILE_KINDS, STEP_STATES } from '../model/route.js';
import { isSensitive } from '../model/step-list.js';
import { measureSteps, type TimeSpread } from '../model/step-metrics.js';
import type { Timeline } from '../model/timeline.js';
import { icon } from './icon.js';
import { link, stepLink } from './name.js';

export function summary(model: PageModel, timeline: Timeline): HTMLElement {
  const { report } = model;
  return h(
    'section',
    { 'aria-label': 'Summary' },
    h(
      'dl',
      { class: 'tiles' },
      tile('Steps', formatNumber(report.steps.length), shareNote(report)),
      tile('Duration', formatDuration(report.durationMs), durationNote(report, timeline)),
      tile('Tokens', formatCompact(report.usage.total), tokensNote(report)),
      report.cost !== undefined && tile('Cost', describeCostShortly(report.cost), costNote(report)),
      tile('Attempts', formatNumber(countAttempts(report)), attemptsNote(report)),
      tile('Files', formatNumber(model.files.length + model.filesLeftOut), filesNote(model)),
    ),
    metricsRow(report),
    report.stop !== undefined && stopBanner(report),
    stateBar(report),
  );
}

/** Renders the distribution of times over the steps that ran. */
function metricsRow({ steps }: BatchReport): HTMLElement | undefined {
  const metrics = measureSteps(steps);
  if (metrics === undefined) return undefined;
  const { work, wait, tokensPerStep } = metrics;
  const parts = [
    `Work per step: ${describeSpread(work)}`,
    wait === undefined ? '' : `wait: ${describeSpread(wait)}`,
    `${formatCompact(tokensPerStep)} tokens per step`,
  ];
  return h('p', { class: 'dim metrics' }, parts.filter(Boolean).join(' · '));
}

function describeSpread({ medianMs, p95Ms, longestMs }: TimeSpread): string {
  return `median ${formatDuration(medianMs)}, p95 ${formatDuration(p95Ms)}, longest ${formatDuration(longestMs)}`;
}

function tile(term: string, value: Child, note: Child): HTMLElement {
  return h(
    'div',
    { class: 'tile' },
    h('dt', {}, term),
    h('dd', { class: 'tile-value' }, value),
    h('dd', { class: 'tile-note' }, note),
  );
}

function shareNote({ counts, steps }: BatchReport): string {
  const share = steps.length === 0 ? 0 : Math.floor((counts.succeeded / steps.length) * 100);
  return `${share} % succeeded`;
}

function durationNote({ startedAt, endedAt }: BatchReport, { clock }: Timeline): HTMLElement {
  const pausedMs = clock.folds.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0);
  return h(
    'span',
    {},
    h('time', { datetime: startedAt }, formatTime(startedAt)),
    ' – ',
    h('time', { datetime: endedAt }, formatLater(endedAt, startedAt)),
    pausedMs > 0 && `, without ${formatDuration(pausedMs)} between runs`,
  );
}

function tokensNote({ usage }: BatchReport): string {
  const parts = [
    `${formatCompact(usage.input)} in`,
    `${formatCompact(usage.output)} out`,
    usage.thoughts > 0 ? `${formatCompact(usage.thoughts)} thoughts` : '',
    usage.cached > 0 ? `${formatCompact(usage.cached)} cached` : '',
  ];
  return parts.filter(Boolean).join(' · ');
}

/** Says that the cost is an estimate, and what it leaves out. */
function costNote({ cost }: BatchReport): string {
  const unknown = cost?.unknownModels ?? [];
  const rest = unknown.length === 0 ? '' : `, without ${unknown.join(', ')}`;
  return `estimate by list prices of ${cost?.tableDate ?? ''}${rest}`;
}

function countAttempts({ steps }: BatchReport): number {
  return steps.reduce((sum, { attempts }) => sum + attempts.length, 0);
}

function attemptsNote({ steps }: BatchReport): string {
  let [retries, repairs, reused, lost] = [0, 0, 0, 0];
  for (const step of steps) {
    retries += Math.max(0, step.attempts.length - 1);
    for (const attempt of step.attempts) {
      repairs += attempt.repairs;
      lost += attempt.job?.lost.length ?? 0;
    }
    if (step.reused) reused += 1;
  }
  const parts = [
    formatCount(retries, 'retry', 'retries'),
    formatCount(repairs, 'repair turn'),
    lost > 0 ? `${formatNumber(lost)} lost with a worker` : '',
    reused > 0 ? `${formatNumber(reused)} reused` : '',
  ];
  return parts.filter(Boolean).join(' · ');
}

function filesNote({ files, filesLeftOut }: PageModel): HTMLElement {
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  const conflicts = files.filter((file) => file.conflicts.length > 0).length;
  const sensitive = files.filter(isSensitive).length;
  const parts = FILE_KINDS.map((kind) => ({
    kind,
    count: files.filter((file) => file.kind === kind).length,
  })).filter(({ count }) => count > 0);
  return h(
    'span',
    {},
    [...parts.map(({ kind, count }) => `${formatNumber(count)} ${kind}`), formatBytes(bytes)].join(
      ' · ',
    ),
    filesLeftOut > 0 && ` · ${formatNumber(filesLeftOut)} not on this page`,
    conflicts > 0 && ' · ',
    conflicts > 0 &&
      link(
        { ...ALL_FILES, filter: 'conflicts' },
        { class: 'is-bad' },
        formatCount(conflicts, 'conflict'),
      ),
    sensitive > 0 && ' · ',
    sensitive > 0 &&
      link(
        { ...ALL_FILES, filter: 'sensitive' },
        { class: 'is-warning' },
        `${formatNumber(sensitive)} sensitive`,
      ),
  );
}

function stopBanner({ stop }: BatchReport): HTMLElement {
  return h(
    'div',
    { class: 'banner is-stopped', role: 'note' },
    icon('stopped'),
    h(
      'div',
      {},
      h('strong', {}, 'Stopped: '),
      h('code', {}, stop?.reason),
      stop?.stepId !== undefined && ' at ',
      stop?.stepId !== undefined && stepLink(stop.stepId),
      h('p', { dir: 'auto' }, ...prose(stop?.message ?? '')),
    ),
  );
}

/** Renders a bar of the step states, with a legend that links to the steps of each state. */
function stateBar({ counts }: BatchReport): HTMLElement {
  const states = STEP_STATES.toReversed().filter((state) => counts[state] > 0);
  const bar = h('div', { class: 'state-bar', 'aria-hidden': 'true' });
  for (const state of states) {
    const part = h('span', { class: `state-part is-${state}` });
    part.style.flexGrow = String(counts[state]);
    bar.append(part);
  }
  return h(
    'div',
    { class: 'states' },
    bar,
    h(
      'ul',
      { class: 'legend' },
      ...states.map((state) =>
        h(
          'li',
          {},
          link(
            { ...ALL_STEPS, state },
            {},
            icon(state),
            h('strong', {}, formatNumber(counts[state])),
            ` ${state}`,
          ),
        ),
      ),
    ),
  );
}
