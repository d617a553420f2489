import { revealInLine } from '../../../../web/reveal-controls.js';
import { type Attributes, type Child, h } from '../../../../web/view/element.js';
import { formatRoute, type Route } from '../model/route.js';
import { splitAtMatches } from '../model/search.js';

/** Renders a name from the report on one line, in a `bdi`: its writing direction does not affect the text beside it. */
export function name(text: string, query = '', attributes: Attributes = {}): HTMLElement {
  return h('bdi', attributes, ...highlightMatches(revealInLine(text), query));
}

export function highlightMatches(text: string, query: string): readonly Child[] {
  return splitAtMatches(text, query).map((part) =>
    part.isMatch ? h('mark', {}, part.text) : part.text,
  );
}

/** Renders a path with a dimmed folder. */
export function pathName(path: string, query = ''): HTMLElement {
  const shown = revealInLine(path);
  const cut = shown.lastIndexOf('/') + 1;
  return h(
    'bdi',
    { class: 'path', dir: 'ltr', title: shown },
    h('span', { class: 'folder' }, ...highlightMatches(shown.slice(0, cut), query)),
    h('span', { class: 'file' }, ...highlightMatches(shown.slice(cut), query)),
  );
}

export function link(
  route: Route,
  attributes: Attributes,
  ...children: readonly Child[]
): HTMLAnchorElement {
  return h('a', { href: formatRoute(route), ...attributes }, ...children);
}

export function stepLink(id: string): HTMLAnchorElement {
  return link({ view: 'step', id }, { class: 'name' }, name(id));
}

/** Renders a link to all steps of a matrix. */
export function matrixLink(planId: string): HTMLAnchorElement {
  const route = { view: 'steps', query: `${planId}[`, order: 'plan' } as const;
  return link(route, { class: 'name' }, name(planId));
}

export function fileLink(path: string): HTMLAnchorElement {
  return link({ view: 'file', path }, { class: 'name' }, pathName(path));
}
