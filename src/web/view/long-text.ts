import { formatNumber } from '../model/format.js';
import { revealControls } from '../reveal-controls.js';
import { button, h } from './element.js';

const SHOWN_CHARACTERS = 20_000;

/** Renders a text. Of a very long text the beginning is shown, with a button for the rest. */
export function longText(text: string, label: string): HTMLElement {
  const cut = text.length <= SHOWN_CHARACTERS * 1.5 ? text.length : endOfLineNear(text);
  const block = h(
    'pre',
    // The block can scroll, so the keyboard must reach it.
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
