import { formatCount, formatDuration } from '../../../../web/model/format.js';
import { h } from '../../../../web/view/element.js';
import { showMore } from '../../../../web/view/show-more.js';
import type { PageModel } from '../model/page-model.js';
import { totalWorkers, type WorkerTotal } from '../model/worker-totals.js';
import { name, stepLink } from './name.js';

const WORKERS_AT_ONCE = 20;
const LOST_AT_ONCE = 12;

/** Renders the workers of a queue, with what each has done, and the attempts that were lost with a worker. */
export function workerList({ report }: PageModel): HTMLElement | undefined {
  const workers = totalWorkers(report.steps);
  if (workers.length === 0) return undefined;
  return h(
    'section',
    { class: 'panel', 'aria-labelledby': 'workers-title' },
    h('h2', { id: 'workers-title' }, formatCount(workers.length, 'worker')),
    showMore(h('ul', { class: 'runs' }), workers, WORKERS_AT_ONCE, workerItem),
  );
}

function workerItem({
  worker,
  host,
  attempts,
  succeeded,
  workMs,
  queueMs,
  lost,
}: WorkerTotal): HTMLElement {
  const facts = [
    formatCount(attempts, 'attempt'),
    succeeded === attempts ? '' : `${succeeded} succeeded`,
    `worked ${formatDuration(workMs)}`,
    queueMs > 0 ? `its steps waited ${formatDuration(queueMs)} in the queue` : '',
  ];
  return h(
    'li',
    {},
    h('strong', {}, name(worker)),
    h('span', { class: 'dim' }, ' on ', name(host), ` · ${facts.filter(Boolean).join(' · ')}`),
    lost.length > 0 &&
      h(
        'div',
        {},
        h('span', { class: 'is-bad' }, `${formatCount(lost.length, 'attempt')} lost: `),
        showMore(h('ul', { class: 'names' }), lost, LOST_AT_ONCE, ({ stepId, attempt }) =>
          h('li', {}, stepLink(stepId), attempt > 1 && ` (attempt ${attempt} of the job)`),
        ),
      ),
  );
}
