import type { BatchOptions } from '../../api/batch-options.js';
import type { ExpandedPlan } from '../../api/batch-plan.js';
import type { BatchWarning } from '../../api/batch-report.js';
import { removeLeftovers } from '../isolation/remove-leftovers.js';
import { dropUnusedSaved } from '../isolation/saved-changes.js';
import { describeDamage } from '../ledger/describe-damage.js';
import type { LedgerEntry } from '../ledger/ledger-entry.js';
import { LedgerFile } from '../ledger/ledger-file.js';
import { ledgerProblem } from '../ledger/ledger-problem.js';
import { BatchLease } from '../state/batch-lease.js';
import { createBatchId, writeMarker } from '../state/batch-marker.js';
import { writeFoldersRecord } from '../state/folders-record.js';
import { openStateKey } from '../state/state-key.js';
import { type BatchFolders, workingDirsOf } from './batch-folders.js';
import { BatchState } from './batch-state.js';
import { entriesOf, type FoundLedger, findLedger } from './find-ledger.js';

/** Functions that release resources when the batch ends, called in reverse order. */
export type Closers = (() => Promise<void>)[];

/** Calls all closers, even if one fails, so that the lease is always released. Throws the first failure at the end. */
export async function closeAll(closers: Closers): Promise<void> {
  const failures: unknown[] = [];
  for (let closer = closers.pop(); closer !== undefined; closer = closers.pop()) {
    await closer().catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0) throw failures[0];
}

export interface OpenedLedger {
  readonly state: BatchState;
  /** Id of the batch, which the output folder gets when the ledger has its first line. */
  readonly batch: string;
  /** True if the ledger has no entries of an earlier run. */
  readonly isFresh: boolean;
  readonly lease: BatchLease;
  /** Warnings that the ledger gets: the clean-up after a killed run. */
  readonly warnings: readonly BatchWarning[];
  /** Warnings that the report has already: damage of the ledger. */
  readonly ledgerWarnings: readonly BatchWarning[];
}

export interface LedgerRequest {
  readonly folders: BatchFolders;
  readonly plan: ExpandedPlan;
  readonly options: BatchOptions;
  /** Ends the wait for the lease of another batch. */
  readonly signal?: AbortSignal | undefined;
  readonly onWait: (message: string) => void;
}

/** Takes the lease of a batch, reads its ledger, and cleans up after a killed run. */
export async function openLedger(request: LedgerRequest, closers: Closers): Promise<OpenedLedger> {
  try {
    return await openLeasedLedger(request, closers);
  } catch (error) {
    throw ledgerProblem(request.folders.ledgerFile, error);
  }
}

async function openLeasedLedger(
  { folders, plan, options, signal, onWait }: LedgerRequest,
  closers: Closers,
): Promise<OpenedLedger> {
  const { ledgerFile, stateDir, out } = folders;
  await out.create();
  const seal = openStateKey(stateDir);
  const lease = await BatchLease.acquire({
    out: out.path,
    stateDir,
    ledgerFile,
    seal,
    onWait,
    signal,
  });
  closers.push(() => lease.release());
  writeFoldersRecord(stateDir, out.path, workingDirsOf(plan));
  const found = await findLedger(folders, options);
  const { kind, read } = found;
  // Leftovers of a killed run are removed first: they may include a merge that has to be reverted.
  const leftovers = await removeLeftovers(stateDir, {
    keptMerges: findMerges(read.entries),
    workingDirs: workingDirsOf(plan),
  });
  const isArchived = options.fresh === true || kind === 'aside';
  const isNewFile = isArchived || kind === 'old';
  if (isArchived) await folders.archive();
  // An earlier import may have been killed.
  else if (isNewFile) await folders.archiveLedger();
  const entries = entriesOf(found);
  const batch = (isNewFile ? undefined : read.batch) ?? createBatchId();
  const ledger = await LedgerFile.open({
    path: ledgerFile,
    seal,
    batch,
    token: Math.max(lease.token, read.lastToken + 1),
    nextSeq: isNewFile ? 1 : read.nextSeq,
    endsWithNewline: isNewFile || read.endsWithNewline,
    check: () => lease.check(),
  });
  closers.push(() => ledger.close());
  if (kind === 'old') {
    await Promise.all(entries.map((entry) => ledger.append(entry)));
    await writeMarker(out.path, batch);
    await out.archiveOldLedger();
  }
  const ledgerWarnings = isArchived ? [] : describeDamage(read);
  const state = new BatchState(ledger, entries, ledgerWarnings);
  dropUnusedSaved(stateDir, state.savedChanges(plan.steps));
  const warnings = [...describeAside(found, ledgerFile), ...describeLeftovers(leftovers)];
  return { state, batch, isFresh: entries.length === 0, lease, warnings, ledgerWarnings };
}

/** Workspaces whose changes belong to a step that is done. */
export function findMerges(entries: readonly LedgerEntry[]): ReadonlySet<string> {
  return new Set(entries.flatMap((entry) => (entry.type === 'done' && entry.merge) || []));
}

function describeAside({ kind }: FoundLedger, ledgerFile: string): BatchWarning[] {
  if (kind !== 'aside') return [];
  const message = `The output folder is new. ${ledgerFile} is of an earlier batch with the same output folder and was renamed: all steps run`;
  return [{ code: 'LEDGER_SET_ASIDE', message, steps: [] }];
}

function describeLeftovers({
  removed,
  kept,
}: Awaited<ReturnType<typeof removeLeftovers>>): BatchWarning[] {
  const start = 'An earlier run of the batch was killed or taken over. Clean-up';
  const warnings: BatchWarning[] = [];
  if (removed.length > 0) {
    const message = `${start}: ${removed.join('; ')}`;
    warnings.push({ code: 'LEFTOVERS_REMOVED', message, steps: [] });
  }
  if (kept.length > 0) {
    const message = `${start}: ${kept.join('; ')}`;
    warnings.push({ code: 'LEFTOVERS_KEPT', message, steps: [] });
  }
  return warnings;
}
