import { randomBytes } from 'node:crypto';
import type { BatchReport, BatchStop } from '../../api/batch-report.js';
import { ProviderError } from '../../base/errors/provider-error.js';
import { countOf } from '../../base/text/count-of.js';
import { assertReachable } from '../../step/reachable-folders.js';
import { buildReport } from '../ledger/build-report.js';
import { describeDamage } from '../ledger/describe-damage.js';
import { LedgerFold } from '../ledger/fold-ledger.js';
import type { LedgerPace } from '../ledger/ledger-pace.js';
import { ledgerProblem } from '../ledger/ledger-problem.js';
import { readFoldersRecord } from '../state/folders-record.js';
import { type Liveness, readLiveness } from '../state/read-liveness.js';
import { Seal } from '../state/seal.js';
import { locateRoot, locateState } from '../state/state-folder.js';
import { findSeal } from '../state/state-key.js';
import { BatchFolders } from './batch-folders.js';
import { findLedger } from './find-ledger.js';

/** A batch as its ledger and its lease show it. Reading it changes nothing, and works while the batch runs. */
export interface ReadBatch {
  readonly folders: BatchFolders;
  readonly report: BatchReport;
  readonly liveness: Liveness;
  /** True if the last run has ended by itself. */
  readonly isEnded: boolean;
  /** Time of the last line of the ledger, ISO 8601. */
  readonly lastEntryAt: string;
  /** What holds up the steps of the last run. */
  readonly pace: LedgerPace;
  /** Working directories of the plan. Empty if the state folder does not tell them. */
  readonly workingDirs: readonly string[];
}

/** Reads a batch by its output folder. Throws INVALID_INPUT if the folder has none. */
export async function readBatch(folder: string, state?: string): Promise<ReadBatch> {
  await assertReachable([folder, locateRoot(state)]);
  const folders = new BatchFolders(folder, locateState(folder, state));
  const { ledgerFile } = folders;
  // The lease is read first: a batch that ends meanwhile has written its last line before it gives the lease back.
  const liveness = await readLiveness(folders.stateDir, sealOfFolders(folders));
  const { kind, read } = await findLedger(folders, {}).catch((error: unknown) => {
    throw ledgerProblem(ledgerFile, error);
  });
  if (kind !== 'resume') {
    throw new ProviderError({
      code: 'INVALID_INPUT',
      message: `No ledger of a batch in ${folder}`,
      hint: 'Pass the folder that the batch got with --out, and the same --state as the batch.',
    });
  }
  if (!read.entries.some(({ type }) => type === 'plan')) {
    throw new ProviderError({
      code: 'INVALID_INPUT',
      message: `The ledger ${ledgerFile} is damaged: its lines about the plan are lost`,
      hint: 'Run the batch again: it repeats only steps whose results are lost, and writes the reports.',
    });
  }
  const fold = new LedgerFold();
  for (const entry of read.entries) fold.accept(entry);
  const isAlive = liveness.kind === 'alive';
  if (!isAlive || fold.isEnded) fold.closeOpenAttempts();
  const report = buildReport(fold, { isAlive, now: new Date().toISOString() });
  // The last line of a batch at work may be half written.
  const damage = describeDamage(isAlive ? { ...read, tornLines: 0 } : read);
  const wasKilled = !fold.isEnded && (liveness.kind === 'dead' || liveness.kind === 'none');
  const stop = report.stop ?? (wasKilled ? describeKill(report) : undefined);
  return {
    folders,
    report: {
      ...report,
      ...(stop === undefined ? {} : { stop }),
      warnings: [...damage, ...report.warnings],
    },
    liveness,
    isEnded: fold.isEnded,
    lastEntryAt: read.entries.at(-1)?.at ?? '',
    pace: fold.pace,
    workingDirs: readFoldersRecord(folders.stateDir)?.workingDirs ?? [],
  };
}

/** Describes a kill: what is lost, and that everything else is kept. */
function describeKill({ steps, counts }: BatchReport): BatchStop {
  const lost = steps.filter(({ state, attempts }) => {
    return state === 'pending' && attempts.at(-1)?.outcome === 'interrupted';
  }).length;
  const attempts = lost === 1 ? '1 attempt was' : `${lost} attempts were`;
  const message = [
    'The process of the batch was killed, or its machine stopped',
    lost === 0
      ? 'No attempt was at work, nothing is lost'
      : `${attempts} at work and will begin again; their tokens are not counted`,
    ...(counts.merging === 0
      ? []
      : [`${countOf(counts.merging, 'finished step')} will be merged by the next run`]),
    'The same command resumes the batch',
  ].join('. ');
  return { reason: 'killed', message };
}

/** Returns the seal of a batch. Without a key, nothing that lies in the folder counts. */
export function sealOfFolders({ stateDir }: BatchFolders): Seal {
  return findSeal(stateDir) ?? new Seal(randomBytes(32), `the missing key in ${stateDir}`);
}
