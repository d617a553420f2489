import { revealControls } from '../reveal-controls.js';

export type Child = Node | string | undefined | false;
export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

/**
 * An element. All text of the page passes here or through `svg`, and only as text: nothing of a report is ever
 * parsed as markup. `true` is an attribute without a value; undefined and false are none.
 */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  return fill(document.createElement(tag), attributes, children);
}

const SVG = 'http://www.w3.org/2000/svg';

export function svg<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: readonly Child[]
): SVGElementTagNameMap[K] {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

function fill<E extends Element>(
  element: E,
  attributes: Attributes,
  children: readonly Child[],
): E {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    element.setAttribute(name, value === true ? '' : revealControls(String(value)));
  }
  for (const child of children) {
    if (child === undefined || child === false) continue;
    element.append(typeof child === 'string' ? revealControls(child) : child);
  }
  return element;
}

/** A part of the page's own frame. */
export function part<E extends HTMLElement>(id: string, type: new () => E): E {
  const element = document.getElementById(id);
  if (element instanceof type) return element;
  throw new Error(`The page lacks its ${id}.`);
}

export function button(label: string, onClick: () => void, attributes: Attributes = {}) {
  const element = h('button', { type: 'button', ...attributes }, label);
  element.addEventListener('click', onClick);
  return element;
}
