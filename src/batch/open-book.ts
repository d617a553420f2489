import { rename, rm } from 'node:fs/promises';
import { LedgerFile, memoryLedger } from '../ledger/ledger-file.js';
import { ledgerProblem } from '../ledger/ledger-problem.js';
import { lockLedger } from '../ledger/lock-ledger.js';
import { readLedger } from '../ledger/read-ledger.js';
import { BatchBook } from './batch-book.js';
import type { OutFolder } from './out-folder.js';

/** What has to be done at the end, the last first. */
export type Closers = (() => Promise<void>)[];

/** Each of them, also where one fails: a lock that is not given back would outlive its reason. */
export async function closeAll(closers: Closers): Promise<void> {
  const failures: unknown[] = [];
  for (let closer = closers.pop(); closer !== undefined; closer = closers.pop()) {
    await closer().catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0) throw failures[0];
}

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
  await out.create().catch((error: unknown) => {
    throw ledgerProblem(ledgerFile, error);
  });
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
