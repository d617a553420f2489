import type { LedgerLine } from './ledger-line.js';

/** Lines of a ledger in the order of the file. A number stands for that many lines that cannot be read. */
export type LineOrGap = LedgerLine | number;

export interface OrderedLines {
  readonly lines: readonly LedgerLine[];
  /** Lines that were written once and are damaged, missing, repeated, in another order, or of another batch. */
  readonly damaged: number;
  /** Lines that were never complete, because a batch was killed while writing. */
  readonly torn: number;
  /** Number of the next line. */
  readonly nextSeq: number;
}

/**
 * Checks the numbers of the lines. A run with a higher fencing token replaces lines of an older run from its own first
 * number on: the older run had lost its lease when it wrote them. Later lines of the older run are dropped as well.
 */
export function orderLines(
  all: readonly LineOrGap[],
  batch: string,
  endsWithNewline: boolean,
): OrderedLines {
  const lines: LedgerLine[] = [];
  let damaged = 0;
  let torn = 0;
  let unreadable = 0;
  for (const line of all) {
    if (typeof line === 'number') {
      unreadable += line;
      continue;
    }
    let last = lines.at(-1);
    const isStale =
      last !== undefined &&
      (line.token < last.token || (line.token === last.token && line.seq <= last.seq));
    if (line.batch !== batch || isStale) {
      damaged++;
      continue;
    }
    while (last !== undefined && last.token < line.token && last.seq >= line.seq) {
      lines.pop();
      damaged++;
      last = lines.at(-1);
    }
    const missing = line.seq - (last?.seq ?? 0) - 1;
    if (missing > 0) damaged += missing;
    else torn += unreadable;
    unreadable = 0;
    lines.push(line);
  }
  const tornAtEnd = unreadable > 0 && !endsWithNewline ? 1 : 0;
  const damagedAtEnd = unreadable - tornAtEnd;
  return {
    lines,
    damaged: damaged + damagedAtEnd,
    torn: torn + tornAtEnd,
    nextSeq: (lines.at(-1)?.seq ?? 0) + damagedAtEnd + 1,
  };
}

/** Returns the id of the batch that most lines belong to; undefined if there is no line. */
export function findBatchId(all: readonly LineOrGap[]): string | undefined {
  const counts = new Map<string, number>();
  for (const line of all) {
    if (typeof line !== 'number') counts.set(line.batch, (counts.get(line.batch) ?? 0) + 1);
  }
  return [...counts].reduce<[string | undefined, number]>(
    (most, each) => (each[1] > most[1] ? each : most),
    [undefined, 0],
  )[0];
}
