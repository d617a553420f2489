import { createReadStream } from 'node:fs';
import { hasErrno } from '../../base/errors/errno.js';
import { LineFramer } from '../../base/ndjson/line-framer.js';
import { parseJsonLine } from '../../base/ndjson/parse-json-line.js';
import { type LedgerEntry, parseLedgerEntry } from './ledger-entry.js';

export interface ReadLedger {
  readonly entries: readonly LedgerEntry[];
  /** Number of lines that are not entries, usually because a batch was killed while writing. */
  readonly tornLines: number;
  /** True if the last line ends with a newline, or the ledger is empty. */
  readonly endsWithNewline: boolean;
}

/** Reads all entries of a ledger. A file that does not exist counts as empty. */
export async function readLedger(file: string): Promise<ReadLedger> {
  const entries: LedgerEntry[] = [];
  let tornLines = 0;
  let isOpen = false;
  const framer = new LineFramer({
    onLine: (line) => {
      const entry = parseLedgerEntry(parseJsonLine(line));
      if (entry === undefined) tornLines++;
      else entries.push(entry);
    },
    onOverlong: () => {
      tornLines++;
    },
  });
  try {
    for await (const chunk of createReadStream(file)) framer.push(chunk);
    isOpen = framer.end();
  } catch (error) {
    if (!hasErrno(error, 'ENOENT')) throw error;
  }
  return { entries, tornLines, endsWithNewline: !isOpen };
}
