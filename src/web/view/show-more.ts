import { formatNumber } from '../model/format.js';
import { button, h } from './element.js';

/** Renders the first `pageSize` items, with a button for the next ones. */
export function showMore<T>(
  container: HTMLElement,
  items: readonly T[],
  pageSize: number,
  render: (item: T) => HTMLElement,
): HTMLElement {
  const wrapper = h('div', {}, container);
  const more = button('', () => showNext(true), { class: 'more' });
  let shown = 0;
  const showNext = (takesFocus: boolean): void => {
    const added = items.slice(shown, shown + pageSize).map(render);
    shown += added.length;
    container.append(...added);
    const left = items.length - shown;
    more.textContent =
      left <= pageSize
        ? `Show ${formatNumber(left)} more`
        : `Show ${formatNumber(pageSize)} more of ${formatNumber(left)}`;
    if (left > 0) wrapper.append(more);
    else more.remove();
    if (takesFocus) focusFirst(added);
  };
  showNext(false);
  return wrapper;
}

/** Moves the focus to the first new item, because the button may be gone. */
function focusFirst([first]: readonly HTMLElement[]): void {
  const link = first?.querySelector<HTMLElement>('a, button, summary');
  if (first !== undefined && !link) first.tabIndex = -1;
  (link ?? first)?.focus();
}
