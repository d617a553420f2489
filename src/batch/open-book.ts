import { rename, rm } from 'node:fs/promises';
import { LedgerFile, memoryLedger } from '../ledger/ledger-file.js';
import { lockLedger } from '../ledger/lock-ledger.js';
import { readLedger } from '../ledger/read-ledger.js';
import { BatchBook } from './batch-book.js';
import type { OutFolder } from './out-folder.js';

/** What has to be done at the end, the last first. */
export type Closers = (() => Promise<void>)[];

export interface OpenedBook {
  readonly book: BatchBook;
  /** Whether nothing has happened in this batch yet. */
  readonly isFresh: boolean;
}

/** The ledger of a batch, locked for us, with all that earlier runs have written. */
export async function openBook(
  out: OutFolder | undefined,
  beginAgain: boolean,
  closers: Closers,
): Promise<OpenedBook> {
  if (out === undefined) return { book: new BatchBook(memoryLedger, []), isFresh: true };
  const { ledgerFile } = out;
  closers.push(await lockLedger(ledgerFile));
  if (beginAgain) await putAside(out);
  const { entries, tornLines, endsWithNewline } = await readLedger(ledgerFile);
  const ledger = await LedgerFile.open(ledgerFile, endsWithNewline);
  closers.push(() => ledger.close());
  return { book: new BatchBook(ledger, entries, tornLines), isFresh: entries.length === 0 };
}

async function putAside({ ledgerFile, baselineFile }: OutFolder): Promise<void> {
  const name = ledgerFile.replace(/\.jsonl$/, `-${Date.now()}.jsonl`);
  await rename(ledgerFile, name).catch((error: unknown) => {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
  });
  await rm(baselineFile, { force: true });
}
