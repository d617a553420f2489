import { formatCount } from '../../../../web/model/format.js';
import { button, h } from '../../../../web/view/element.js';
import { prose } from '../../../../web/view/prose.js';
import { showMore } from '../../../../web/view/show-more.js';
import type { PageModel } from '../model/page-model.js';
import type { Timeline } from '../model/timeline.js';
import type { AutoReload } from './auto-reload.js';
import { failureList, skippedSteps } from './failure-list.js';
import { icon } from './icon.js';
import { liveBanner } from './live-banner.js';
import { stepLink } from './name.js';
import { runList } from './run-list.js';
import { summary } from './summary.js';
import { timelineLegend } from './timeline-legend.js';
import { TimelineView } from './timeline-view.js';
import { tokenSection } from './token-bars.js';
import type { View } from './view.js';
import { workerList } from './worker-list.js';

const WARNINGS_AT_ONCE = 10;
const STEPS_OF_WARNING_AT_ONCE = 12;

export function overview(model: PageModel, timeline: Timeline, reload: AutoReload): View {
  const picture = timeline.items.length === 0 ? undefined : new TimelineView(timeline);
  const sections = [
    liveBanner(model, reload),
    summary(model, timeline),
    picture && timelineSection(timeline, picture),
    failureList(model),
    skippedSteps(model),
    batchWarnings(model),
    workerList(model),
    tokenSection(model),
    runList(model),
  ];
  return {
    element: h('div', { class: 'overview' }, ...sections),
    attach: () => picture?.update(),
  };
}

function timelineSection(timeline: Timeline, view: TimelineView): HTMLElement {
  const folds = timeline.clock.folds.length;
  return h(
    'section',
    { class: 'panel', 'aria-labelledby': 'timeline-title' },
    h(
      'div',
      { class: 'panel-head' },
      h('h2', { id: 'timeline-title' }, 'Timeline'),
      timelineLegend(timeline),
      h(
        'div',
        { class: 'zoom', role: 'group', 'aria-label': 'Zoom of the timeline' },
        button('−', () => view.zoom(0.5), { 'aria-label': 'Zoom out' }),
        button('Fit', () => view.zoom(0), { 'aria-label': 'Fit the whole timeline' }),
        button('+', () => view.zoom(2), { 'aria-label': 'Zoom in' }),
      ),
    ),
    view.element,
    h(
      'p',
      { class: 'dim hint', id: 'timeline-keys' },
      'Arrow keys move between attempts, Enter opens the step, + and − zoom.',
      folds > 0 && ` ${formatCount(folds, 'pause')} between runs folded away.`,
    ),
  );
}

function batchWarnings({ report }: PageModel): HTMLElement | undefined {
  if (report.warnings.length === 0) return undefined;
  return h(
    'section',
    { class: 'panel', 'aria-labelledby': 'warnings-title' },
    h('h2', { id: 'warnings-title' }, 'Warnings'),
    showMore(h('div', {}), report.warnings, WARNINGS_AT_ONCE, ({ code, message, steps }) =>
      h(
        'div',
        { class: 'warning' },
        icon('warning'),
        h(
          'div',
          {},
          h('p', { dir: 'auto' }, h('code', {}, code), ' ', ...prose(message)),
          showMore(h('ul', { class: 'names' }), steps, STEPS_OF_WARNING_AT_ONCE, (id) =>
            h('li', {}, stepLink(id)),
          ),
        ),
      ),
    ),
  );
}
