import { createReadStream } from 'node:fs';
import { hasErrno } from '../../base/errors/errno.js';
import { LineFramer } from '../../base/ndjson/line-framer.js';
import type { Seal } from '../state/seal.js';
import type { LedgerEntry } from './ledger-entry.js';
import { type BadLine, parseLedgerLine } from './ledger-line.js';
import { findBatchId, type LineOrGap, orderLines } from './order-lines.js';

export interface ReadLedger {
  readonly entries: readonly LedgerEntry[];
  /** Id of the batch. Undefined if the ledger has no valid line. */
  readonly batch: string | undefined;
  /** Fencing token of the last line; 0 if there is none. */
  readonly lastToken: number;
  /** Number of the next line. */
  readonly nextSeq: number;
  /** Number of lines that were never complete, usually because a batch was killed while writing. */
  readonly tornLines: number;
  /** Number of lines that were complete once and are damaged, missing, repeated or in another order now. */
  readonly damagedLines: number;
  /** Number of lines with a right checksum that were signed with another key. */
  readonly foreignLines: number;
  /** Number of entries without a signature. */
  readonly unsignedLines: number;
  /** True if the last line ends with a newline, or the ledger is empty. */
  readonly endsWithNewline: boolean;
}

/** Reads all entries of a ledger that are signed with the key of the batch. A file that does not exist counts as empty. */
export async function readLedger(file: string, seal: Seal): Promise<ReadLedger> {
  const all: LineOrGap[] = [];
  const bad: Record<BadLine, number> = { damaged: 0, foreign: 0, unsigned: 0 };
  const endsWithNewline = await readLines(file, (text) => {
    const line = text === undefined ? 'damaged' : parseLedgerLine(text, seal);
    if (typeof line === 'string') bad[line]++;
    all.push(typeof line === 'string' ? 1 : line);
  });
  const batch = findBatchId(all);
  const { lines, damaged, torn, nextSeq } = orderLines(all, batch ?? '', endsWithNewline);
  return {
    entries: lines.map(({ entry }) => entry),
    batch,
    lastToken: lines.at(-1)?.token ?? 0,
    nextSeq,
    tornLines: torn,
    damagedLines: damaged,
    foreignLines: bad.foreign,
    unsignedLines: bad.unsigned,
    endsWithNewline,
  };
}

/**
 * Reads the lines of a file; undefined stands for a line that is too long. Returns true if the last line ends with a
 * newline, or if there is no line. A file that does not exist has no lines.
 */
export async function readLines(
  file: string,
  onLine: (text: string | undefined) => void,
): Promise<boolean> {
  const framer = new LineFramer({ onLine, onOverlong: () => onLine(undefined) });
  try {
    for await (const chunk of createReadStream(file)) framer.push(chunk);
    return !framer.end();
  } catch (error) {
    if (!hasErrno(error, 'ENOENT')) throw error;
    return true;
  }
}
