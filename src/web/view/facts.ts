import { type Child, h } from './element.js';

export type Fact = readonly [term: string, ...value: readonly Child[]];

/** Renders terms with their values. Terms without a value are left out. */
export function facts(entries: readonly Fact[]): HTMLElement {
  return h(
    'dl',
    { class: 'facts' },
    ...entries.map(
      ([term, ...value]) =>
        value.some(Boolean) &&
        h(
          'div',
          { class: isList(value) ? 'is-wide' : '' },
          h('dt', {}, term),
          h('dd', {}, ...value),
        ),
    ),
  );
}

function isList(value: readonly Child[]): boolean {
  return value.some((child) => child instanceof Element && child.querySelector('ul') !== null);
}

export function block(title: string, ...children: readonly Child[]): HTMLElement {
  return h('section', { class: 'block' }, h('h3', {}, title), ...children);
}
