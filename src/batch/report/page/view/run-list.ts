import type { BatchEnvironment, BatchRunReport } from '../../../../api/batch-report.js';
import { formatCount, formatDuration, formatTime } from '../../../../web/model/format.js';
import { h } from '../../../../web/view/element.js';
import { showMore } from '../../../../web/view/show-more.js';
import type { PageModel } from '../model/page-model.js';
import { name } from './name.js';

const RUNS_AT_ONCE = 5;

/** Renders the runs of the batch, newest first, with versions, commit, host and plan of each. */
export function runList({ report }: PageModel): HTMLElement | undefined {
  if (!report.runs.some(({ environment }) => environment !== undefined)) return undefined;
  return h(
    'section',
    { class: 'panel', 'aria-labelledby': 'runs-title' },
    h('h2', { id: 'runs-title' }, formatCount(report.runs.length, 'run')),
    showMore(h('ul', { class: 'runs' }), report.runs.toReversed(), RUNS_AT_ONCE, runItem),
  );
}

function runItem({ startedAt, endedAt, environment }: BatchRunReport): HTMLElement {
  const lasted = formatDuration(Date.parse(endedAt) - Date.parse(startedAt));
  return h(
    'li',
    {},
    h('strong', {}, formatTime(startedAt)),
    h('span', { class: 'dim' }, ` · ${lasted}`),
    environment !== undefined && environmentFacts(environment),
  );
}

function environmentFacts(environment: BatchEnvironment): HTMLElement {
  const { packageVersion, nodeVersion, cliVersion, host, platform, commit, planFile } = environment;
  const facts: readonly (readonly [string, string | undefined])[] = [
    ['gemini-cli-provider', packageVersion],
    ['Gemini CLI', cliVersion],
    ['Node.js', nodeVersion],
    ['commit', commit],
    ['host', host],
    ['platform', platform],
    ['plan', planFile],
  ];
  return h(
    'ul',
    { class: 'names' },
    ...facts.flatMap(([term, value]) =>
      value === undefined
        ? []
        : h('li', {}, h('span', { class: 'dim' }, `${term} `), h('code', {}, name(value))),
    ),
  );
}
