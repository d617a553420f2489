import { removeLeftovers } from '../isolation/remove-leftovers.js';
import type { LedgerEntry } from '../ledger/ledger-entry.js';
import { LedgerFile, memoryLedger } from '../ledger/ledger-file.js';
import { ledgerProblem } from '../ledger/ledger-problem.js';
import { lockLedger } from '../ledger/lock-ledger.js';
import { type ReadLedger, readLedger } from '../ledger/read-ledger.js';
import { BatchState } from './batch-state.js';
import type { OutputFolder } from './output-folder.js';

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

export interface OpenedLedger {
  readonly state: BatchState;
  /** Whether nothing has happened in this batch yet. */
  readonly isFresh: boolean;
  /** What was done about things that a batch that died has left. */
  readonly removed: readonly string[];
}

const NOTHING: ReadLedger = { entries: [], tornLines: 0, endsWithNewline: true };

/** The ledger of a batch, locked for us, with all that earlier runs have written. */
export async function openLedger(
  out: OutputFolder | undefined,
  beginAgain: boolean,
  closers: Closers,
): Promise<OpenedLedger> {
  if (out === undefined) {
    return { state: new BatchState(memoryLedger, []), isFresh: true, removed: [] };
  }
  try {
    return await openLockedLedger(out, beginAgain, closers);
  } catch (error) {
    throw ledgerProblem(out.ledgerFile, error);
  }
}

async function openLockedLedger(
  out: OutputFolder,
  beginAgain: boolean,
  closers: Closers,
): Promise<OpenedLedger> {
  const { ledgerFile } = out;
  await out.create();
  closers.push(await lockLedger(ledgerFile));
  const known = await readLedger(ledgerFile);
  // What a batch that died has left goes before anything else.
  const removed = await removeLeftovers(out.stateDir, findMerges(known.entries));
  if (beginAgain) await out.putAside();
  const { entries, tornLines, endsWithNewline } = beginAgain ? NOTHING : known;
  const ledger = await LedgerFile.open(ledgerFile, endsWithNewline);
  closers.push(() => ledger.close());
  const state = new BatchState(ledger, entries, tornLines);
  return { state, isFresh: entries.length === 0, removed };
}

/** Workspaces whose changes belong to a step that is done. */
function findMerges(entries: readonly LedgerEntry[]): ReadonlySet<string> {
  return new Set(entries.flatMap((entry) => (entry.type === 'done' && entry.merge) || []));
}
