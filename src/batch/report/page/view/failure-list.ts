import type { StepReport, StepSkip } from '../../../../api/step-report.js';
import { formatCount, formatDuration } from '../../../../web/model/format.js';
import { type Child, h } from '../../../../web/view/element.js';
import { showMore } from '../../../../web/view/show-more.js';
import type { PageModel } from '../model/page-model.js';
import { failure } from './failure.js';
import { icon } from './icon.js';
import { stepLink } from './name.js';

const FAILURES_AT_ONCE = 10;
const SKIPPED_AT_ONCE = 24;

export function failureList(model: PageModel): HTMLElement | undefined {
  const failed = model.report.steps.filter(
    ({ state, error }) => state === 'failed' || (state !== 'succeeded' && error !== undefined),
  );
  if (failed.length === 0) return undefined;
  return h(
    'section',
    { class: 'panel', 'aria-labelledby': 'failures-title' },
    h('h2', { id: 'failures-title' }, 'Failures'),
    showMore(h('div'), failed, FAILURES_AT_ONCE, (step) => failureCard(model, step)),
  );
}

function failureCard(model: PageModel, step: StepReport): HTMLElement {
  const skipped = model.skippedBy.get(step.id) ?? [];
  const facts = [
    formatCount(step.attempts.length, 'attempt'),
    formatDuration(step.durationMs),
    skipped.length > 0
      ? `${formatCount(skipped.length, 'step')} skipped because of this failure`
      : '',
  ];
  return h(
    'article',
    { class: 'failure-card' },
    h(
      'h3',
      {},
      icon(step.state, step.state),
      stepLink(step.id),
      h('span', { class: 'dim' }, facts.filter(Boolean).join(' · ')),
    ),
    failure(step, false) ?? h('p', { class: 'dim' }, 'The report has no error for this step.'),
  );
}

/** Renders the skipped steps, grouped by the step that caused the skip, or by another reason. */
export function skippedSteps({ report, skippedBy }: PageModel): HTMLElement | undefined {
  if (skippedBy.size === 0) return undefined;
  const groups = [...skippedBy].flatMap(([cause, steps]): readonly SkippedGroup[] => {
    return cause === ''
      ? groupByReason(steps)
      : [{ title: ['because of ', stepLink(cause)], steps }];
  });
  return h(
    'section',
    { class: 'panel', 'aria-labelledby': 'skipped-title' },
    h('h2', { id: 'skipped-title' }, `Skipped steps (${report.counts.skipped})`),
    showMore(h('div', {}), groups, FAILURES_AT_ONCE, ({ title, steps }) =>
      h(
        'div',
        { class: 'skipped' },
        h('h3', {}, icon('skipped'), ...title),
        showMore(h('ul', { class: 'names' }), steps, SKIPPED_AT_ONCE, ({ id }) =>
          h('li', {}, stepLink(id)),
        ),
      ),
    ),
  );
}

interface SkippedGroup {
  readonly title: readonly Child[];
  readonly steps: readonly StepReport[];
}

const REASONS: readonly (readonly [StepSkip['reason'], string])[] = [
  ['condition', 'because their condition is false'],
  ['selection', 'because this run was told to leave them out'],
  ['need', 'because of a step that the report does not name'],
];

function groupByReason(skipped: readonly StepReport[]): readonly SkippedGroup[] {
  return REASONS.map(([reason, title]) => ({
    title: [title],
    steps: skipped.filter(({ skip }) => (skip?.reason ?? 'need') === reason),
  })).filter(({ steps }) => steps.length > 0);
}
