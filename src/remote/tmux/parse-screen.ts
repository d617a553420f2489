import type { ApprovalMode } from '../../api/provider-config.js';
import { findDialog, type ScreenDialog } from './parse-dialog.js';

/** What the model has written in the turn that the screen shows. */
export interface ScreenTurn {
  /** The prompt of the turn, as far as its block is on the screen. */
  readonly prompt: string;
  /** Texts of the model below the prompt: one before each tool call, and the last one. */
  readonly answers: readonly string[];
}

/** What the screen of the interactive CLI shows. */
export interface Screen {
  readonly dialog: ScreenDialog | undefined;
  /** Text in the input box; empty if only the placeholder is there. Undefined if there is no box. */
  readonly input: string | undefined;
  /** Rows of the input box. */
  readonly inputRows: number;
  /** True if the box takes shell commands. */
  readonly isShellMode: boolean;
  /** True if the box is in the NORMAL mode of vim, in which keys are commands. Only seen while the box is empty. */
  readonly isVimNormal: boolean;
  /** Approval mode, if the line above the box shows it. */
  readonly mode: ApprovalMode | undefined;
  /** Text of the status line while the CLI works: the subject of a thought, or the name of a hook. */
  readonly status: string | undefined;
  /** Undefined if the prompt of the turn is not on the screen. */
  readonly turn: ScreenTurn | undefined;
}

const BOX_TOP = /^▄{6,}\s*$/;
const BOX_BOTTOM = /^▀{6,}\s*$/;
const RULE = /^─{6,}\s*$/;
const PROMPT = /^ ?([>!*])(?: (.*))?$/;
const YOLO_SIGN = '*';
const VIM_NORMAL = /^\s*Press 'i' for INSERT mode\.?/;
const PLACEHOLDERS = [
  VIM_NORMAL,
  /^\s*Type your message\b/,
  /^\s*Type your shell command\b/,
  /^\s*Press 'Esc' for NORMAL mode\.?/,
];
/** Lines of the CLI itself are indented by one blank at most, those of the model by two. */
const STATUS = /^ ?[⠁-⣿]\s+(.+?)\s*\(esc to cancel/;
const MODES: readonly (readonly [RegExp, ApprovalMode])[] = [
  [/^ ?YOLO\b.*Ctrl\+Y/, 'yolo'],
  [/^ ?auto-accept edits\b/, 'auto_edit'],
  [/^ ?plan\b.*Shift\+Tab/, 'plan'],
  [/^ ?Shift\+Tab to accept edits\b/, 'default'],
];
const SHORTCUTS = /^\s*\? for shortcuts/;
/** Row of a call without a frame, such as `  ✓  WriteFile  a.txt → Accepted`, and of a hook that has ended. */
const CALL_ROW = /^ {2}(?:[✓✗xo?⊶⊷-] {2}[A-Z]\w+(?: {2}|$)|Executing Hooks?: )/;

/** Reads the screen of the interactive CLI. Widths play no role, because a small terminal may be attached to the pane. */
export function parseScreen(text: string): Screen {
  const lines = linesOf(text);
  const dialog = findDialog(lines);
  const box = dialog === undefined ? findBox(lines) : undefined;
  return {
    dialog,
    input: box?.input,
    inputRows: box?.rows ?? 0,
    isShellMode: box?.sign === '!',
    isVimNormal: box?.isVimNormal === true,
    mode: box && findMode(lines, box),
    status: findStatus(lines.slice(-16)),
    turn: findTurn(lines, box?.start ?? lines.length),
  };
}

/** Reads the turn in a screen with the lines that have scrolled away. */
export function parseTurn(text: string): ScreenTurn | undefined {
  const lines = linesOf(text);
  const end = findDialog(lines) === undefined ? findBox(lines)?.start : undefined;
  return findTurn(lines, end ?? lines.length);
}

function linesOf(text: string): string[] {
  const lines = text.split('\n').map((line) => line.trimEnd());
  while (lines.at(-1) === '') lines.pop();
  return lines;
}

interface Box {
  /** Line of the upper edge, or of the text if there is no edge. */
  readonly start: number;
  readonly input: string;
  readonly rows: number;
  readonly sign: string;
  readonly isVimNormal: boolean;
}

function findBox(lines: readonly string[]): Box | undefined {
  const last = Math.max(0, lines.length - 40);
  for (let index = lines.length - 1; index >= last; index--) {
    const match = PROMPT.exec(lines[index] ?? '');
    if (match === null || !isBoxTop(lines, index - 1)) continue;
    const end = lines.findIndex((line, at) => at > index && isBoxBottom(lines, line, index));
    const rest = lines.slice(index + 1, end < 0 ? lines.length : end);
    // A prompt block of the past has the same edges; the box of the input has no text of the model below it.
    if (end >= 0 && lines.slice(end + 1).some((line) => /^\s*[✦ℹ✕⚠]/.test(line))) return undefined;
    const text = [match[2] ?? '', ...rest.map((line) => line.replace(/^ {3}/, ''))]
      .join('\n')
      .trimEnd();
    const isEmpty = text.trim() === '' || PLACEHOLDERS.some((sign) => sign.test(text));
    const [input, rows, sign] = [isEmpty ? '' : text, rest.length + 1, match[1] ?? ''];
    return { start: index - 1, input, rows, sign, isVimNormal: VIM_NORMAL.test(text) };
  }
  return undefined;
}

/** True for the edge above the input. With few colours the CLI draws it as an empty line, which counts below the mode alone. */
function isBoxTop(lines: readonly string[], index: number): boolean {
  const line = lines[index] ?? '';
  if (line === '') return modeOf(lines[index - 1]) !== undefined;
  return BOX_TOP.test(line) || RULE.test(line) || modeOf(line) !== undefined;
}

function isBoxBottom(lines: readonly string[], line: string, prompt: number): boolean {
  const hasEdges = lines[prompt - 1] !== '';
  return BOX_BOTTOM.test(line) || RULE.test(line) || (!hasEdges && line === '');
}

/**
 * Finds the mode in the line directly above the box, below its rule. Text of the model stands further in, and cannot show another
 * mode. The sign before the input tells the mode `yolo`, too, and both must agree.
 */
function findMode(lines: readonly string[], { start, sign }: Box): ApprovalMode | undefined {
  const own = modeOf(lines[start]) === undefined ? start - 1 : start;
  const at = lines[own] === '' ? own - 1 : own;
  const above = lines[at - 1] ?? '';
  // A screen reader gets no rules.
  const isBelowRule = RULE.test(above) || (own === start && !/^\s{2}/.test(above));
  const mode = isBelowRule ? modeOf(lines[at]) : undefined;
  if ((sign === YOLO_SIGN) === (mode === 'yolo')) return mode;
  return sign === YOLO_SIGN && mode === undefined ? 'yolo' : undefined;
}

function modeOf(line: string | undefined): ApprovalMode | undefined {
  return MODES.find(([sign]) => sign.test(line ?? ''))?.[1];
}

function findStatus(lines: readonly string[]): string | undefined {
  for (const line of lines) {
    const status = STATUS.exec(line)?.[1];
    if (status !== undefined) return status;
  }
  return undefined;
}

/** Returns the last prompt block, and the texts of the model between it and the lines of the input. */
function findTurn(lines: readonly string[], end: number): ScreenTurn | undefined {
  const bottom = lines.findLastIndex((line, at) => at > 0 && at < end && BOX_BOTTOM.test(line));
  if (bottom < 0) return undefined;
  const top = lines.findLastIndex((line, at) => at < bottom && BOX_TOP.test(line));
  const block = lines.slice(top + 1, bottom).map((line) => line.replace(/^ (?:[>!*] ?| {2})/, ''));
  const answers: string[][] = [];
  let isAnswer = false;
  for (const line of lines.slice(bottom + 1, end)) {
    if (/^✦ /.test(line)) {
      isAnswer = true;
      answers.push([]);
    } else if (line !== '' && !/^ {2}/.test(line)) isAnswer = false;
    if ([STATUS, RULE, SHORTCUTS, CALL_ROW].some((sign) => sign.test(line))) isAnswer = false;
    if (isAnswer) answers.at(-1)?.push(line.replace(/^(✦ | {2})/, ''));
  }
  return {
    prompt: block.join('\n').trim(),
    answers: answers.map((rows) => rows.join('\n').trim()),
  };
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
