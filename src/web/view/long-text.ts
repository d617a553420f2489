import { formatNumber } from '../model/format.js';
import { revealControls } from '../reveal-controls.js';
import { button, h } from './element.js';

const SHOWN_CHARACTERS = 20_000;

/** A text as it is; of a very long one the beginning, and a button for the rest. */
export function longText(text: string, label: string): HTMLElement {
  const cut = text.length <= SHOWN_CHARACTERS * 1.5 ? text.length : endOfLineNear(text);
  const block = h(
    'pre',
    // It can scroll, so it must be within reach of the keyboard.
    { class: 'text', dir: 'auto', tabindex: 0, role: 'region', 'aria-label': label },
    text.slice(0, cut),
  );
  if (cut === text.length) return block;
  const more = button(
    `Show the other ${formatNumber(text.length - cut)} characters`,
    () => {
      block.append(revealControls(text.slice(cut)));
      more.remove();
      block.focus();
    },
    { class: 'more' },
  );
  return h('div', {}, block, more);
}

function endOfLineNear(text: string): number {
  const end = text.indexOf('\n', SHOWN_CHARACTERS);
  return end === -1 || end > SHOWN_CHARACTERS + 1_000 ? SHOWN_CHARACTERS : end;
}
