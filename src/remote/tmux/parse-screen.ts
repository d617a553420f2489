import type { ApprovalMode } from '../../api/provider-config.js';

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
  /** Rows of the dialog without frames, in order. */
  readonly rows: readonly string[];
  /** Options with a digit. A dialog that asks for a text has none. */
  readonly options: readonly ScreenOption[];
  /** Row that Enter would choose, without its mark. */
  readonly selected: string | undefined;
}

/** What the screen of the interactive CLI shows. */
export interface Screen {
  readonly dialog: ScreenDialog | undefined;
  /** Text in the input box; empty if only the placeholder is there. Undefined if there is no box. */
  readonly input: string | undefined;
  /** True if the box takes shell commands. */
  readonly isShellMode: boolean;
  /** Approval mode, if the line above the box shows it. */
  readonly mode: ApprovalMode | undefined;
  /** Text of the status line while the CLI works: the subject of a thought, or the name of a hook. */
  readonly status: string | undefined;
  /** Texts of the model below the last prompt: one before each tool call, and the last one. */
  readonly answers: readonly string[];
}

const FRAME = /[│╭╮╰╯─]/g;
const BOTTOM = /^\s*╰─+╯\s*$/;
const TOP = /^\s*╭─+╮\s*$/;
const OPTION = /^(●|○|\(checked\))?\s*(\d{1,2})\.\s+(.+)$/;
const SELECTED = /^(?:●|\(checked\))\s*(.+)$/;
/** Last words of dialogs that have no options with digits. */
const KEYS_HINT = /\bEsc to (?:cancel|close)\b/;
const BOX_TOP = /^▄{6,}\s*$/;
const BOX_BOTTOM = /^▀{6,}\s*$/;
const RULE = /^─{6,}\s*$/;
const PROMPT = /^ ?([>!*])(?: (.*))?$/;
const PLACEHOLDERS = [
  /^\s*Type your message\b/,
  /^\s*Type your shell command\b/,
  /^\s*Press 'Esc' for NORMAL mode\.?/,
];
const STATUS = /^\s*[⠁-⣿]\s+(.+?)\s*\(esc to cancel/;
const MODES: readonly (readonly [RegExp, ApprovalMode])[] = [
  [/^\s*YOLO\b.*Ctrl\+Y/, 'yolo'],
  [/^\s*auto-accept edits\b/, 'auto_edit'],
  [/^\s*plan\b.*Shift\+Tab/, 'plan'],
  [/^\s*Shift\+Tab to accept edits\b/, 'default'],
];

/** Reads the screen of the interactive CLI. Widths play no role, because a small terminal may be attached to the pane. */
export function parseScreen(text: string): Screen {
  const lines = text.split('\n').map((line) => line.trimEnd());
  while (lines.at(-1) === '') lines.pop();
  const dialog = findDialog(lines);
  const box = dialog === undefined ? findBox(lines) : undefined;
  return {
    dialog,
    input: box?.input,
    isShellMode: box?.isShellMode ?? false,
    mode:
      box === undefined
        ? undefined
        : findMode(lines.slice(Math.max(0, box.start - 4), box.start + 1)),
    status: findStatus(lines.slice(-16)),
    answers: findAnswers(lines, box?.start ?? lines.length),
  };
}

/** Finds a dialog: a frame whose bottom is the last line, or without frames (screen reader) options that end the screen. */
function findDialog(lines: readonly string[]): ScreenDialog | undefined {
  const isFramed = BOTTOM.test(lines.at(-1) ?? '');
  const start = isFramed ? findTop(lines) : findFirstOption(lines);
  if (start === undefined) return undefined;
  const inner = lines
    .slice(start, isFramed ? -1 : undefined)
    .map((line) => line.replace(FRAME, ' ').trim());
  const options = inner.flatMap(readOption);
  const rows = inner.filter((line) => line !== '');
  const selected = rows.map((row) => SELECTED.exec(row)?.[1]).find((row) => row !== undefined);
  const hasHint = isFramed && rows.some((row) => KEYS_HINT.test(row));
  if (!hasHint && !options.some(({ isSelected }) => isSelected)) return undefined;
  return { text: rows.join('\n'), rows, options, selected };
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
    if (!OPTION.test((lines[index] ?? '').trim())) break;
    first = index;
  }
  if (first === undefined || !lines.slice(first).some((line) => /^\s*\(checked\)/.test(line)))
    return undefined;
  return Math.max(0, first - 6);
}

function readOption(line: string): ScreenOption[] {
  const [, mark, digit, label] = OPTION.exec(line) ?? [];
  if (digit === undefined || label === undefined) return [];
  const isSelected = mark === '●' || mark === '(checked)';
  const isChecked = /^\[x\]/i.test(label);
  return [
    { digit, label: label.replace(/^\[.\]\s*/, '').trim(), row: line, isSelected, isChecked },
  ];
}

interface Box {
  /** Line of the upper edge, or of the text if there is no edge. */
  readonly start: number;
  readonly input: string;
  readonly isShellMode: boolean;
}

function findBox(lines: readonly string[]): Box | undefined {
  const last = Math.max(0, lines.length - 40);
  for (let index = lines.length - 1; index >= last; index--) {
    const match = PROMPT.exec(lines[index] ?? '');
    const above = lines[index - 1] ?? '';
    if (
      match === null ||
      !(BOX_TOP.test(above) || RULE.test(above) || MODES.some(([sign]) => sign.test(above)))
    )
      continue;
    const end = lines.findIndex(
      (line, at) => at > index && (BOX_BOTTOM.test(line) || RULE.test(line)),
    );
    const rest = lines.slice(index + 1, end < 0 ? lines.length : end);
    // A prompt block of the past has the same edges; the box of the input has no text of the model below it.
    if (end >= 0 && lines.slice(end + 1).some((line) => /^\s*[✦ℹ✕⚠]/.test(line))) return undefined;
    const text = [match[2] ?? '', ...rest.map((line) => line.replace(/^ {3}/, ''))]
      .join('\n')
      .trimEnd();
    const isEmpty = text.trim() === '' || PLACEHOLDERS.some((sign) => sign.test(text));
    return { start: index - 1, input: isEmpty ? '' : text, isShellMode: match[1] === '!' };
  }
  return undefined;
}

function findMode(lines: readonly string[]): ApprovalMode | undefined {
  for (const line of lines) for (const [sign, mode] of MODES) if (sign.test(line)) return mode;
  return undefined;
}

function findStatus(lines: readonly string[]): string | undefined {
  for (const line of lines) {
    const status = STATUS.exec(line)?.[1];
    if (status !== undefined) return status;
  }
  return undefined;
}

/** Returns the texts of the model between the last prompt block and the lines of the input. */
function findAnswers(lines: readonly string[], end: number): readonly string[] {
  let start = -1;
  for (let index = end - 1; index > 0; index--) {
    if (BOX_BOTTOM.test(lines[index] ?? '')) {
      start = index + 1;
      break;
    }
  }
  if (start < 0) return [];
  const answers: string[][] = [];
  let isAnswer = false;
  for (const line of lines.slice(start, end)) {
    if (/^✦ /.test(line)) {
      isAnswer = true;
      answers.push([]);
    } else if (line !== '' && !/^ {2}/.test(line)) isAnswer = false;
    if (STATUS.test(line) || RULE.test(line) || /^\s*\? for shortcuts/.test(line)) isAnswer = false;
    if (isAnswer) answers.at(-1)?.push(line.replace(/^(✦ | {2})/, ''));
  }
  return answers.map((rows) => rows.join('\n').trim());
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

/** State of the CLI by the title of its window. Undefined if the title says nothing: before the start, or if it is turned off. */
export function parseTitle(title: string): 'ready' | 'working' | 'asking' | undefined {
  switch ([...title.trim()][0]) {
    case '◇':
      return 'ready';
    case '✦':
      return 'working';
    case '✋':
      return 'asking';
    default:
      return undefined;
  }
}
