import { removeLeftovers } from '../isolation/remove-leftovers.js';
import type { LedgerEntry } from '../ledger/ledger-entry.js';
import { LedgerFile, memoryLedger } from '../ledger/ledger-file.js';
import { ledgerProblem } from '../ledger/ledger-problem.js';
import { lockLedger } from '../ledger/lock-ledger.js';
import { type ReadLedger, readLedger } from '../ledger/read-ledger.js';
import { BatchState } from './batch-state.js';
import type { OutputFolder } from './output-folder.js';

/** Functions that release resources when the batch ends, called in reverse order. */
export type Closers = (() => Promise<void>)[];

/** Calls all closers, even if one fails, so that the lock is always released. Throws the first failure at the end. */
export async function closeAll(closers: Closers): Promise<void> {
  const failures: unknown[] = [];
  for (let closer = closers.pop(); closer !== undefined; closer = closers.pop()) {
    await closer().catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0) throw failures[0];
}

export interface OpenedLedger {
  readonly state: BatchState;
  /** True if the ledger has no entries of an earlier run. */
  readonly isFresh: boolean;
  /** Messages about the clean-up after a killed run. */
  readonly removed: readonly string[];
}

const NOTHING: ReadLedger = { entries: [], tornLines: 0, endsWithNewline: true };

/** Locks and reads the ledger of a batch. Without an output folder, the ledger exists in memory only. */
export async function openLedger(
  out: OutputFolder | undefined,
  startAgain: boolean,
  closers: Closers,
): Promise<OpenedLedger> {
  if (out === undefined) {
    return { state: new BatchState(memoryLedger, []), isFresh: true, removed: [] };
  }
  try {
    return await openLockedLedger(out, startAgain, closers);
  } catch (error) {
    throw ledgerProblem(out.ledgerFile, error);
  }
}

async function openLockedLedger(
  out: OutputFolder,
  startAgain: boolean,
  closers: Closers,
): Promise<OpenedLedger> {
  const { ledgerFile } = out;
  await out.create();
  closers.push(await lockLedger(ledgerFile));
  const known = await readLedger(ledgerFile);
  // Leftovers of a killed run are removed first: they may include a merge that has to be reverted.
  const removed = await removeLeftovers(out.stateDir, findMerges(known.entries));
  if (startAgain) await out.archive();
  const { entries, tornLines, endsWithNewline } = startAgain ? NOTHING : known;
  const ledger = await LedgerFile.open(ledgerFile, endsWithNewline);
  closers.push(() => ledger.close());
  const state = new BatchState(ledger, entries, tornLines);
  return { state, isFresh: entries.length === 0, removed };
}

/** Workspaces whose changes belong to a step that is done. */
function findMerges(entries: readonly LedgerEntry[]): ReadonlySet<string> {
  return new Set(entries.flatMap((entry) => (entry.type === 'done' && entry.merge) || []));
}
