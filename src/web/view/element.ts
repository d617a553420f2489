import { revealControls } from '../reveal-controls.js';

export type Child = Node | string | undefined | false;
export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

/**
 * Creates an element. All text of the page passes through here or `svg`, as text nodes: nothing of a report is parsed
 * as markup. `true` gives an attribute without a value; undefined and false give no attribute.
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

/** Returns an element of the page frame by its id. Throws if the element is missing or of another type. */
export function part<E extends HTMLElement>(id: string, type: new () => E): E {
  const element = document.getElementById(id);
  if (element instanceof type) return element;
  throw new Error(`The page has no element with the id ${id}.`);
}

export function button(label: string, onClick: () => void, attributes: Attributes = {}) {
  const element = h('button', { type: 'button', ...attributes }, label);
  element.addEventListener('click', onClick);
  return element;
}
