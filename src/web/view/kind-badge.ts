import type { FileChangeKind } from '../../api/manifest.js';
import { h } from './element.js';

const LETTERS: Readonly<Record<FileChangeKind, string>> = {
  created: 'A',
  modified: 'M',
  deleted: 'D',
  unchanged: '=',
};

/** Renders the kind of a change as a letter, as git does. */
export function kindBadge(kind: FileChangeKind): HTMLElement {
  return h(
    'span',
    { class: `kind is-${kind}`, role: 'img', 'aria-label': kind, title: kind },
    LETTERS[kind],
  );
}
