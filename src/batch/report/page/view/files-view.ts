import type { BatchFile } from '../../../../api/batch-report.js';
import { formatBytes, formatCount, formatNumber } from '../../../../web/model/format.js';
import { h } from '../../../../web/view/element.js';
import { kindBadge } from '../../../../web/view/kind-badge.js';
import { FILE_KINDS, type FileFilter, type FilesRoute } from '../model/route.js';
import type { SearchIndex } from '../model/search.js';
import { filterFiles, isSensitive } from '../model/step-list.js';
import { filterBar } from './filter-bar.js';
import { listView } from './list-view.js';
import { link, name, pathName } from './name.js';
import { sensitiveBadge } from './sensitive.js';
import type { View } from './view.js';

export function filesView(search: SearchIndex, route: FilesRoute): View {
  const files = filterFiles(search, route);
  return listView({
    title: `Files, ${formatNumber(files.length)} shown`,
    tools: [kindFilter(search, route)],
    columns: fileColumns(),
    items: files,
    emptyText: route.query === '' ? 'No file is of this kind.' : 'No file matches the search.',
    hasSnippets: false,
    keyOf: ({ path }) => path,
    renderRow: (file) => fileRow(file, route.query),
  });
}

function kindFilter(search: SearchIndex, route: FilesRoute): HTMLElement {
  const found = search.findFiles(route.query);
  const choices: readonly { readonly filter: FileFilter; readonly count: number }[] = [
    ...FILE_KINDS.map((filter) => ({
      filter,
      count: found.filter(({ kind }) => kind === filter).length,
    })),
    { filter: 'conflicts', count: found.filter(({ conflicts }) => conflicts.length > 0).length },
    { filter: 'sensitive', count: found.filter(isSensitive).length },
  ];
  return filterBar('Filter by kind of change', [
    {
      route: { ...route, filter: undefined },
      label: 'all',
      count: found.length,
      isCurrent: route.filter === undefined,
    },
    ...choices
      .filter(({ filter, count }) => count > 0 || filter === route.filter)
      .map(({ filter, count }) => ({
        route: { ...route, filter },
        label: filter,
        count,
        isCurrent: route.filter === filter,
        sign: filter === 'conflicts' || filter === 'sensitive' ? undefined : kindBadge(filter),
      })),
  ]);
}

function fileColumns(): HTMLElement {
  return h(
    'div',
    { class: 'columns file-row', 'aria-hidden': 'true' },
    h('span'),
    h('span', {}, 'Path'),
    h('span', {}, 'Step'),
    h('span', { class: 'row-bytes' }, 'Size'),
  );
}

function fileRow(file: BatchFile, query: string): HTMLAnchorElement {
  const [firstStep = ''] = file.steps;
  return link(
    { view: 'file', path: file.path },
    { class: 'file-row' },
    kindBadge(file.kind),
    h(
      'span',
      { class: 'row-name' },
      h('span', { class: 'clip' }, pathName(file.path, query)),
      file.conflicts.length > 0 && h('span', { class: 'note is-bad' }, 'conflict'),
      sensitiveBadge(file),
    ),
    h(
      'span',
      { class: 'row-steps dim' },
      file.steps.length === 1 ? name(firstStep) : formatCount(file.steps.length, 'step'),
    ),
    h(
      'span',
      { class: 'row-bytes number' },
      file.kind === 'deleted' ? '' : formatBytes(file.bytes),
    ),
  );
}
