import { onTestFinished, vi } from 'vitest';
import type { LedgerEntry } from '../../../src/batch/ledger/ledger-entry.js';
import { LedgerFile } from '../../../src/batch/ledger/ledger-file.js';

/** Lets the ledger fail from the first line of this type on, so that the batch ends as if it had crashed there. */
export function failAt(type: LedgerEntry['type'], failure = new Error('crash')): () => void {
  const append = LedgerFile.prototype.append;
  let isBroken = false;
  const spy = vi.spyOn(LedgerFile.prototype, 'append').mockImplementation(function (
    this: LedgerFile,
    entry: LedgerEntry,
  ) {
    isBroken ||= entry.type === type;
    return isBroken ? Promise.reject(failure) : append.call(this, entry);
  });
  onTestFinished(() => spy.mockRestore());
  return () => spy.mockRestore();
}
