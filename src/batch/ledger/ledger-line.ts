import { z } from 'zod';
import { parseJsonLine } from '../../base/ndjson/parse-json-line.js';
import type { Seal } from '../state/seal.js';
import { type LedgerEntry, parseLedgerEntry } from './ledger-entry.js';

const PURPOSE = 'ledger';

const numbered = z.object({
  /** Id of the batch. A line of another batch does not count. */
  batch: z.string(),
  /** Fencing token of the run that wrote the line. */
  token: z.number(),
  /** Number of the line, from 1. Shows lines that are missing, repeated or in another order. */
  seq: z.number(),
  entry: z.unknown(),
});

export interface LedgerLine {
  readonly batch: string;
  readonly token: number;
  readonly seq: number;
  readonly entry: LedgerEntry;
}

/**
 * A line of the file that is no line of this ledger. `foreign`: signed with another key. `unsigned`: an entry without a
 * signature, as version 0.1.0 wrote it. `damaged`: everything else.
 */
export type BadLine = 'damaged' | 'foreign' | 'unsigned';

export function formatLedgerLine(line: LedgerLine, seal: Seal): string {
  return `${seal.seal(PURPOSE, JSON.stringify(line))}\n`;
}

export function parseLedgerLine(text: string, seal: Seal): LedgerLine | BadLine {
  const unsealed = seal.unseal(PURPOSE, text);
  if (unsealed.kind !== 'valid') {
    if (unsealed.kind === 'foreign') return 'foreign';
    return parseLedgerEntry(parseJsonLine(text)) === undefined ? 'damaged' : 'unsigned';
  }
  const line = numbered.safeParse(parseJsonLine(unsealed.content)).data;
  const entry = parseLedgerEntry(line?.entry);
  return line === undefined || entry === undefined ? 'damaged' : { ...line, entry };
}
