import { h } from '../../../../web/view/element.js';
import { VirtualList } from '../../../../web/view/virtual-list.js';
import type { View } from './view.js';

export interface ListViewOptions<T> {
  readonly title: string;
  readonly tools: readonly HTMLElement[];
  readonly columns: HTMLElement;
  readonly items: readonly T[];
  /** Text shown instead of an empty list. */
  readonly emptyText: string;
  readonly hasSnippets: boolean;
  keyOf(item: T): string;
  renderRow(item: T): HTMLAnchorElement;
}

const NARROW = '(max-width: 40rem)';

/** Creates a view with a heading, its filters, and a long list below. */
export function listView<T>(options: ListViewOptions<T>): View {
  const holder = h('div');
  const narrow = window.matchMedia(NARROW);
  let list: VirtualList<T> | undefined;
  const build = (): void => {
    list?.dispose();
    list = createList(options, narrow.matches);
    holder.replaceChildren(list.element);
    list.update();
  };
  return {
    element: h(
      'section',
      { class: 'panel list-panel', 'aria-labelledby': 'list-title' },
      h(
        'div',
        { class: 'list-head' },
        h('h2', { id: 'list-title', class: 'sr-only', tabindex: -1 }, options.title),
        ...options.tools,
        options.columns,
      ),
      options.items.length === 0 ? h('p', { class: 'empty' }, options.emptyText) : holder,
    ),
    attach: () => {
      if (options.items.length === 0) return;
      build();
      narrow.addEventListener('change', build);
    },
    dispose: () => {
      narrow.removeEventListener('change', build);
      list?.dispose();
    },
    focusEntry: (key) => {
      const index = options.items.findIndex((item) => options.keyOf(item) === key);
      if (index === -1 || list === undefined) return false;
      list.focus(index);
      return true;
    },
  };
}

function createList<T>(options: ListViewOptions<T>, isNarrow: boolean): VirtualList<T> {
  const { title, items, hasSnippets } = options;
  const oneLine = isNarrow ? 3.5 : 2.25;
  return new VirtualList({
    items,
    label: title,
    rowHeightRem: hasSnippets ? oneLine + 1.25 : oneLine,
    renderRow: (item) => options.renderRow(item),
  });
}
