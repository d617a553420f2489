import { formatNumber } from '../../../../web/model/format.js';
import { type Child, h } from '../../../../web/view/element.js';
import type { Route } from '../model/route.js';
import { link } from './name.js';

export interface FilterChoice {
  readonly route: Route;
  readonly label: string;
  readonly count: number;
  readonly isCurrent: boolean;
  readonly sign?: Child;
}

/** Renders filters as links, so that the back button returns to an earlier filter. */
export function filterBar(label: string, choices: readonly FilterChoice[]): HTMLElement {
  return h(
    'nav',
    { class: 'filters', 'aria-label': label },
    ...choices.map(({ route, label: text, count, isCurrent, sign }) =>
      link(
        route,
        { class: 'chip', 'aria-current': isCurrent ? 'true' : undefined },
        sign,
        `${text} `,
        h('span', { class: 'count' }, formatNumber(count)),
      ),
    ),
  );
}
