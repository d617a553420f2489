import { formatNumber } from '../model/format.js';
import type { DiffHunk, DiffLine, DiffLineKind } from '../model/parse-diff.js';
import type { CodeToken } from '../model/token-lines.js';
import { button, h } from './element.js';
import { highlightLines, renderCode } from './highlight.js';

const LINES_AT_ONCE = 500;

const SIGNS: Readonly<Record<DiffLineKind, string>> = {
  added: '+',
  removed: '−',
  context: '',
  note: '',
};

/** Renders the hunks of a diff as table rows. Of a very long diff the first rows are shown, with a button for more. */
export function diffTable(hunks: readonly DiffHunk[], language: string | undefined): HTMLElement {
  const rows = renderRows(hunks, language);
  const body = h('tbody');
  const holder = h('div', { class: 'diff' }, h('table', {}, columns(), headings(), body));
  const more = button('', () => showNext(), { class: 'more' });
  const total = hunks.reduce((sum, { lines }) => sum + lines.length, 0);
  let shown = 0;
  const showNext = (): void => {
    // Each click doubles the number of rows, so that the end of a long diff is a few clicks away.
    const wanted = Math.max(LINES_AT_ONCE, shown);
    for (let count = 0; count < wanted; count += 1) {
      const { value, done } = rows.next();
      if (done === true) break;
      body.append(value);
      shown += 1;
    }
    const left = total + hunks.length - shown;
    more.textContent = `Show more lines, ${formatNumber(left)} left`;
    if (left > 0) holder.append(more);
    else more.remove();
  };
  showNext();
  return holder;
}

function columns(): HTMLElement {
  const classes = ['col-number', 'col-number', 'col-sign', 'col-code'];
  return h('colgroup', {}, ...classes.map((name) => h('col', { class: name })));
}

function headings(): HTMLElement {
  const words = ['Line before', 'Line after', 'Change', 'Code'];
  return h(
    'thead',
    { class: 'sr-only' },
    h('tr', {}, ...words.map((word) => h('th', { scope: 'col' }, word))),
  );
}

function* renderRows(
  hunks: readonly DiffHunk[],
  language: string | undefined,
): Generator<HTMLElement, void> {
  for (const hunk of hunks) {
    yield h(
      'tr',
      { class: 'hunk' },
      h('td', { colspan: 4 }, `@@ −${hunk.oldStart} +${hunk.newStart} @@ ${hunk.heading}`),
    );
    // Highlight in parts: the first line of a huge diff must not wait until the last one is highlighted.
    for (let start = 0; start < hunk.lines.length; start += LINES_AT_ONCE) {
      const lines = hunk.lines.slice(start, start + LINES_AT_ONCE);
      const tokensOf = highlight(lines, language);
      for (const line of lines) yield renderLine(line, tokensOf.get(line));
    }
  }
}

/** Highlights the old side and the new side as one text each, so that comments over many lines are recognised. */
function highlight(
  lines: readonly DiffLine[],
  language: string | undefined,
): ReadonlyMap<DiffLine, readonly CodeToken[]> {
  const tokensOf = new Map<DiffLine, readonly CodeToken[]>();
  for (const other of ['added', 'removed']) {
    const side = lines.filter(({ kind }) => kind !== other && kind !== 'note');
    const highlighted = highlightLines(side.map(({ text }) => text).join('\n'), language);
    side.forEach((line, index) => {
      const tokens = highlighted?.[index];
      if (tokens !== undefined) tokensOf.set(line, tokens);
    });
  }
  return tokensOf;
}

function renderLine(line: DiffLine, tokens: readonly CodeToken[] | undefined): HTMLElement {
  const { kind, text, oldNumber, newNumber } = line;
  return h(
    'tr',
    { class: `line is-${kind}` },
    h('td', { class: 'line-number' }, oldNumber === undefined ? '' : String(oldNumber)),
    h('td', { class: 'line-number' }, newNumber === undefined ? '' : String(newNumber)),
    h('td', { class: 'sign' }, SIGNS[kind]),
    h('td', { class: 'code' }, ...renderCode(text, tokens)),
  );
}
