import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { ProviderError } from '../../base/errors/provider-error.js';
import { STATE_KEY_VARIABLE } from '../../base/process/environment.js';
import type { LedgerEntry } from '../ledger/ledger-entry.js';
import { type ReadLedger, readLedger } from '../ledger/read-ledger.js';
import { readOldLedger } from '../ledger/read-old-ledger.js';
import { readMarker } from '../state/batch-marker.js';
import { Seal } from '../state/seal.js';
import { findSeal } from '../state/state-key.js';
import type { BatchFolders } from './batch-folders.js';

/**
 * The ledger that a batch continues. `new`: there is none. `resume`: the ledger of this batch. `old`: a ledger of version
 * 0.1.0, to be imported. `aside`: the ledger is of an earlier output folder at the same path, which was removed.
 */
export interface FoundLedger {
  readonly kind: 'new' | 'resume' | 'old' | 'aside';
  readonly read: ReadLedger;
}

export interface FindLedgerOptions {
  readonly fresh?: boolean | undefined;
  readonly acceptOldLedger?: boolean | undefined;
}

/** Finds the ledger of a batch and reads it. Writes nothing. Throws if the ledger cannot be believed, with the remedy. */
export async function findLedger(
  folders: BatchFolders,
  { fresh, acceptOldLedger }: FindLedgerOptions,
): Promise<FoundLedger> {
  const { ledgerFile, stateDir, out } = folders;
  const seal = findSeal(stateDir) ?? new Seal(randomBytes(32), `the missing key in ${stateDir}`);
  const read = await readLedger(ledgerFile, seal);
  if (fresh === true) return { kind: 'new', read };
  if (read.batch === undefined && read.foreignLines > 0) throw wrongKey(ledgerFile, seal);
  if (read.batch === undefined && read.unsignedLines > 0) throw notSigned(ledgerFile);
  const marker = await readMarker(out.path);
  if (marker.kind === 'none' && existsSync(out.oldLedgerFile)) {
    if (acceptOldLedger !== true) throw notSigned(out.oldLedgerFile);
    const { entries, badLines } = await readOldLedger(out.oldLedgerFile);
    return { kind: 'old', read: { ...read, entries, tornLines: 0, damagedLines: badLines } };
  }
  if (read.batch === undefined) {
    if (marker.kind !== 'none' && !hasLines(read)) throw stateMissing(folders);
    const batch = marker.kind === 'batch' ? marker.id : undefined;
    return { kind: 'new', read: { ...read, batch } };
  }
  if (marker.kind === 'none') return { kind: 'aside', read };
  if (marker.kind === 'batch' && marker.id !== read.batch) throw stateMissing(folders);
  return { kind: 'resume', read };
}

/** Returns the entries that a run of the batch continues with. */
export function entriesOf({ kind, read }: FoundLedger): readonly LedgerEntry[] {
  return kind === 'resume' || kind === 'old' ? read.entries : [];
}

/** True if the ledger had lines once, although none of them can be read. */
function hasLines({ damagedLines, tornLines }: ReadLedger): boolean {
  return damagedLines + tornLines > 0;
}

const START_AGAIN = 'or run the batch from the beginning with `fresh` (`--fresh`)';

function wrongKey(file: string, { keyName }: Seal): ProviderError {
  return new ProviderError({
    code: 'INVALID_INPUT',
    message: `The ledger ${file} is signed with another key than ${keyName}`,
    hint: `Use the key of the earlier runs (the variable ${STATE_KEY_VARIABLE}, or the file \`key\` beside the ledger if the variable was not set), ${START_AGAIN}. No step was run.`,
  });
}

function notSigned(file: string): ProviderError {
  return new ProviderError({
    code: 'INVALID_INPUT',
    message: `The ledger ${file} has no signatures: version 0.1.0 or another program has written it`,
    hint: `Import it with \`acceptOldLedger\` (\`--accept-old-ledger\`) if no agent could have changed it, ${START_AGAIN}. No step was run.`,
  });
}

function stateMissing({ out, stateDir }: BatchFolders): ProviderError {
  return new ProviderError({
    code: 'INVALID_INPUT',
    message: `The state of the batch in ${out.path} is not in ${stateDir}`,
    hint: `Set \`state\` (\`--state\`) to the folder of the earlier runs, ${START_AGAIN}. No step was run.`,
  });
}
