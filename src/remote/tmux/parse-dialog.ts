/** An option of a dialog: the digit that chooses it, and its label as far as the screen shows it. */
export interface ScreenOption {
  readonly digit: string;
  readonly label: string;
  /** The whole row, with its mark. */
  readonly row: string;
  readonly isSelected: boolean;
  /** True if the option is one of several that are chosen. */
  readonly isChecked: boolean;
}

/** A dialog at the bottom of the screen. */
export interface ScreenDialog {
  /** Text of the dialog without frames. */
  readonly text: string;
  /** The text above the options. Below them, hints change with the marked option. */
  readonly body: string;
  /** Rows of the dialog without frames, in order. */
  readonly rows: readonly string[];
  /** Options with a digit. A dialog that asks for a text has none, and so has one whose options are not certain. */
  readonly options: readonly ScreenOption[];
  /** Row that Enter would choose, without its mark. */
  readonly selected: string | undefined;
}

const FRAME = /[│╭╮╰╯─]/g;
/** Edges of a frame. That of the question about an IDE is wider than the screen, and has no right corners there. */
const BOTTOM = /^\s*╰─{6,}╯?\s*$/;
const TOP = /^\s*╭─{6,}╮?\s*$/;
const OPTION = /^(\s*)(●|○|\(checked\))?(\s*)(\d{1,2})\.(\s+)(.+)$/;
const MARKS: ReadonlySet<string | undefined> = new Set(['●', '(checked)']);
const SELECTED = /^(?:●|\(checked\))\s*(.+)$/;
/** Last words of dialogs that have no options with digits. */
const KEYS_HINT = /\bEsc to (?:cancel|close)\b/;
/** Row above options that have scrolled away. */
const MORE_ABOVE = '▲';
/** Rows above options that are read for a dialog without frames. */
const ROWS_ABOVE = 6;

/** Finds a dialog: a frame whose bottom is the last line, or without frames (screen reader) options that end the screen. */
export function findDialog(lines: readonly string[]): ScreenDialog | undefined {
  const isFramed = BOTTOM.test(lines.at(-1) ?? '');
  const start = isFramed ? findTop(lines) : findFirstOption(lines);
  if (start === undefined) return undefined;
  const inner = lines.slice(start, isFramed ? -1 : undefined);
  // A screen reader gets no columns.
  const options = findOptions(
    inner.map(isFramed ? withoutFrame : (line) => line.trimStart()),
    isFramed,
  );
  const rows = toRows(inner);
  const selected = rows.map((row) => SELECTED.exec(row)?.[1]).find((row) => row !== undefined);
  const hasHint = isFramed && rows.some((row) => KEYS_HINT.test(row));
  const hasMark = rows.some((row) => SELECTED.test(row));
  if (!hasHint && !hasMark) return undefined;
  const body = toRows(inner.slice(0, options[0]?.index)).join('\n');
  return { text: rows.join('\n'), body, rows, options, selected };
}

function toRows(lines: readonly string[]): readonly string[] {
  return lines.map((line) => line.replace(FRAME, ' ').trim()).filter((line) => line !== '');
}

/** Returns the line of the outer frame's top. Frames inside of the dialog are indented. */
function findTop(lines: readonly string[]): number | undefined {
  const indent = indentOf(lines.at(-1) ?? '');
  for (let index = lines.length - 2; index >= 0; index--) {
    const line = lines[index] ?? '';
    if (TOP.test(line) && indentOf(line) === indent) return index;
  }
  // The top of a tall dialog is above the screen.
  return 0;
}

function findFirstOption(lines: readonly string[]): number | undefined {
  let first: number | undefined;
  for (let index = lines.length - 1; index >= 0; index--) {
    if (!OPTION.test(lines[index] ?? '')) break;
    first = index;
  }
  if (first === undefined || !lines.slice(first).some((line) => /^\s*\(checked\)/.test(line)))
    return undefined;
  return Math.max(0, first - ROWS_ABOVE);
}

/** Removes the outer frame of a row. Frames inside stay, so that their rows can be told from those of the dialog. */
function withoutFrame(line: string): string {
  return line.replace(/^\s*│/, '').replace(/│\s*$/, '');
}

/** A row that looks like an option. */
interface Candidate extends ScreenOption {
  readonly index: number;
  readonly number: number;
  /** Column of the last digit: it is the same for all options of a dialog. */
  readonly column: number;
}

/**
 * Finds the options of a dialog. Commands, contents of files and plans stand in the dialog, too, and may have rows that look like
 * options. The true ones are in one column, are numbered without a gap, and one of them has the mark. If two rows have a mark, or
 * two options the same label, nothing is certain, and the dialog has no options for us.
 */
function findOptions(rows: readonly string[], hasColumns: boolean): readonly Candidate[] {
  const candidates = rows.flatMap((row, index) => readCandidate(row, index, hasColumns));
  const marked = candidates.filter(({ isSelected }) => isSelected);
  // With the mark on a row without a number, such as `Done`, the last rows are the options.
  const anchor = marked.length > 0 ? marked[0] : candidates.at(-1);
  if (marked.length > 1 || anchor === undefined) return [];
  const column = candidates.filter((candidate) => candidate.column === anchor.column);
  const at = column.indexOf(anchor);
  const run = [anchor];
  const isFirst = (): boolean => run[0]?.number === 1;
  for (let index = at - 1; !isFirst() && isNext(column[index], run[0], rows); index--)
    run.unshift(...column.slice(index, index + 1));
  for (let index = at + 1; isNext(run.at(-1), column[index], rows); index++)
    run.push(...column.slice(index, index + 1));
  const [first] = run;
  const isWhole = isFirst() || isBelowMore(first, rows);
  const labels = new Set(run.map(({ label }) => label));
  return isWhole && labels.size === run.length ? run : [];
}

/** True if one option follows another: the next number, and nothing but descriptions and empty rows between both. */
function isNext(
  before: Candidate | undefined,
  after: Candidate | undefined,
  rows: readonly string[],
): boolean {
  if (before === undefined || after === undefined || after.number !== before.number + 1)
    return false;
  return rows
    .slice(before.index + 1, after.index)
    .every((row) => row.trim() === '' || indentOf(row) > before.column);
}

function isBelowMore(first: Candidate | undefined, rows: readonly string[]): boolean {
  const above = rows.slice(0, first?.index ?? 0).findLast((row) => row.trim() !== '');
  return above?.trim().startsWith(MORE_ABOVE) === true;
}

function readCandidate(line: string, index: number, hasColumns: boolean): Candidate[] {
  const [, indent = '', mark, gap = '', digit = '', , rest = ''] = OPTION.exec(line) ?? [];
  if (digit === '') return [];
  // A second column, such as a preview, is no part of the label.
  const label = (rest.split(/\s{3,}|│/)[0] ?? '').trim();
  return [
    {
      digit,
      label: label.replace(/^\[.\]\s*/, ''),
      row: line.replace(FRAME, ' ').trim(),
      isSelected: MARKS.has(mark),
      isChecked: /^\[x\]/i.test(label),
      index,
      number: Number(digit),
      column: hasColumns ? indent.length + (mark?.length ?? 0) + gap.length + digit.length - 1 : 0,
    },
  ];
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}
