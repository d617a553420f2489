import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LedgerEntry } from '../../../src/batch/ledger/ledger-entry.js';
import { formatLedgerLine, parseLedgerLine } from '../../../src/batch/ledger/ledger-line.js';
import { locateState } from '../../../src/batch/state/state-folder.js';
import { openStateKey } from '../../../src/batch/state/state-key.js';

/** Returns the ledger of the batch with this output folder. */
export function ledgerOf(out: string): string {
  return join(locateState(out, undefined), 'ledger.jsonl');
}

/** Writes the ledger again with the entries that pass the filter, as if the batch had written no others. */
export function keepEntries(out: string, isKept: (entry: LedgerEntry) => boolean): void {
  const file = ledgerOf(out);
  const seal = openStateKey(join(file, '..'));
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  let seq = 0;
  const kept = lines.flatMap((text) => {
    const line = parseLedgerLine(text, seal);
    if (typeof line === 'string') throw new Error(`The ledger has a ${line} line`);
    if (!isKept(line.entry)) return [];
    seq++;
    return formatLedgerLine({ ...line, seq }, seal);
  });
  writeFileSync(file, kept.join(''));
}
