import { revealInLine } from '../../../../web/reveal-controls.js';
import { type Attributes, type Child, h } from '../../../../web/view/element.js';
import { formatRoute, type Route } from '../model/route.js';
import { markMatches } from '../model/search.js';

/** A name from the report: on one line, and of no effect on the direction of what stands beside it. */
export function name(text: string, query = '', attributes: Attributes = {}): HTMLElement {
  return h('bdi', attributes, ...marked(revealInLine(text), query));
}

export function marked(text: string, query: string): readonly Child[] {
  return markMatches(text, query).map((part) =>
    part.isMatch ? h('mark', {}, part.text) : part.text,
  );
}

/** The folder dim, the file not. */
export function pathName(path: string, query = ''): HTMLElement {
  const shown = revealInLine(path);
  const cut = shown.lastIndexOf('/') + 1;
  return h(
    'bdi',
    { class: 'path', dir: 'ltr', title: shown },
    h('span', { class: 'folder' }, ...marked(shown.slice(0, cut), query)),
    h('span', { class: 'file' }, ...marked(shown.slice(cut), query)),
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

/** To all its steps. */
export function matrixLink(planId: string): HTMLAnchorElement {
  const route = { view: 'steps', query: `${planId}[`, order: 'plan' } as const;
  return link(route, { class: 'name' }, name(planId));
}

export function fileLink(path: string): HTMLAnchorElement {
  return link({ view: 'file', path }, { class: 'name' }, pathName(path));
}
