export type DiffLineKind = 'context' | 'added' | 'removed' | 'note';

export interface DiffLine {
  readonly kind: DiffLineKind;
  readonly text: string;
  readonly oldNumber?: number | undefined;
  readonly newNumber?: number | undefined;
}

export interface DiffHunk {
  /** Text after the second `@@`. */
  readonly heading: string;
  readonly oldStart: number;
  readonly newStart: number;
  readonly lines: readonly DiffLine[];
}

const HUNK_HEADER = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@ ?(.*)$/;

/**
 * Parses the hunks of a unified diff. The counts in the header decide which lines belong to a hunk, so that a removed line `-- a` is
 * not taken for a file header. Lines before the first hunk are ignored. Any other line that is none of a hunk becomes a note: a
 * reader must see that a diff was cut, or goes on with another file.
 */
export function parseDiff(diff: string): readonly DiffHunk[] {
  const hunks: DiffHunk[] = [];
  const lines = diff.split('\n');
  let at = 0;
  while (at < lines.length) {
    const header = HUNK_HEADER.exec(lines[at] ?? '');
    at += 1;
    if (header === null) continue;
    const hunk = readHunk(lines, at, header);
    hunks.push(hunk);
    at += hunk.lines.length;
  }
  return hunks;
}

function readHunk(lines: readonly string[], from: number, header: RegExpExecArray): DiffHunk {
  const [, oldStart = '0', oldCount = '1', newStart = '0', newCount = '1', heading = ''] = header;
  let [oldNumber, newNumber] = [Number(oldStart), Number(newStart)];
  const oldEnd = oldNumber + Number(oldCount);
  const newEnd = newNumber + Number(newCount);
  const read: DiffLine[] = [];
  for (let at = from; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    const text = line.slice(1);
    if (HUNK_HEADER.test(line)) break;
    if (line.startsWith('\\')) {
      read.push({ kind: 'note', text: text.trim() });
      continue;
    }
    if (oldNumber >= oldEnd && newNumber >= newEnd) {
      read.push({ kind: 'note', text: line });
    } else if (line.startsWith('+')) {
      read.push({ kind: 'added', text, newNumber });
      newNumber += 1;
    } else if (line.startsWith('-')) {
      read.push({ kind: 'removed', text, oldNumber });
      oldNumber += 1;
    } else if (line.startsWith(' ') || line === '') {
      read.push({ kind: 'context', text, oldNumber, newNumber });
      oldNumber += 1;
      newNumber += 1;
    } else read.push({ kind: 'note', text: line });
  }
  while (isEmptyNote(read.at(-1))) read.pop();
  const shown = dropSharedReturns(read);
  return { heading, oldStart: Number(oldStart), newStart: Number(newStart), lines: shown };
}

/** True for what follows the line feed at the end of a diff. */
function isEmptyNote(line: DiffLine | undefined): boolean {
  return line?.kind === 'note' && line.text === '';
}

/**
 * Removes the carriage returns if all lines of a hunk have one. If only some lines do, the line ends are what changed:
 * then the returns stay visible.
 */
function dropSharedReturns(lines: DiffLine[]): readonly DiffLine[] {
  if (!lines.every(({ kind, text }) => kind === 'note' || text.endsWith('\r'))) return lines;
  return lines.map((line) => ({ ...line, text: line.text.replace(/\r$/, '') }));
}

export interface ChangedLines {
  readonly added: number;
  readonly removed: number;
}

export function countChangedLines(hunks: readonly DiffHunk[]): ChangedLines {
  let [added, removed] = [0, 0];
  for (const { lines } of hunks) {
    for (const { kind } of lines) {
      if (kind === 'added') added += 1;
      else if (kind === 'removed') removed += 1;
    }
  }
  return { added, removed };
}
