import { resolve } from 'node:path';
import type { BatchOptions } from '../../api/batch-options.js';
import type { ManifestFile } from '../../api/manifest.js';
import { canonicalPath } from '../../base/fs/paths.js';
import { assertReachable, type ReachableOptions } from '../../step/reachable-folders.js';
import type { LedgerEntry, LedgerStep } from '../ledger/ledger-entry.js';
import { ledgerProblem } from '../ledger/ledger-problem.js';
import { wasNothing } from '../ledger/merge-files.js';
import type { EarlierFiles } from '../plan/earlier-files.js';
import { locateRoot, locateState } from '../state/state-folder.js';
import { BatchFolders } from './batch-folders.js';
import { entriesOf, findLedger } from './find-ledger.js';

/** Reads from the ledger which files earlier runs have created or removed. Empty for a batch with `fresh`. */
export async function readEarlierFiles(
  options: Pick<BatchOptions, 'out' | 'state' | 'fresh' | 'acceptOldLedger'>,
  limits: ReachableOptions = {},
): Promise<EarlierFiles> {
  const { out, state, fresh } = options;
  if (out === undefined || fresh === true) return toEarlierFiles([]);
  await assertReachable([out, locateRoot(state)], limits);
  const folders = new BatchFolders(resolve(out), locateState(out, state));
  try {
    return toEarlierFiles(entriesOf(await findLedger(folders, options)));
  } catch (error) {
    throw ledgerProblem(folders.ledgerFile, error);
  }
}

function toEarlierFiles(entries: readonly LedgerEntry[]): EarlierFiles {
  const values = new Map<string, string[]>();
  const wasThere = new Map<string, boolean>();
  const isThere = new Map<string, boolean>();
  const openAttempts = new Map<string, number>();
  const count = (step: string, change: number): void => {
    openAttempts.set(step, (openAttempts.get(step) ?? 0) + change);
  };
  for (const entry of entries) {
    if (entry.type === 'plan') for (const step of entry.steps) addValues(values, step);
    if (entry.type === 'start') count(entry.step, 1);
    if (entry.type === 'attempt') count(entry.step, -1);
    for (const file of filesOf(entry)) {
      const path = canonicalPath(file.absolutePath);
      if (!wasThere.has(path)) wasThere.set(path, !wasNothing(file));
      isThere.set(path, file.kind !== 'deleted');
    }
  }
  const paths = [...wasThere.keys()];
  return {
    values,
    made: new Set(paths.filter((path) => wasThere.get(path) === false)),
    removed: new Set(paths.filter((path) => wasThere.get(path) && !isThere.get(path))),
    killed: new Set([...openAttempts.keys()].filter((step) => (openAttempts.get(step) ?? 0) > 0)),
  };
}

/**
 * Adds the values in the brackets of a step id, whole and split: a comma separates values or is part of a file name.
 */
function addValues(values: Map<string, string[]>, { id, planId }: LedgerStep): void {
  if (id === planId) return;
  const inBrackets = id.slice(planId.length + 1, -1);
  const known = values.get(planId) ?? [];
  known.push(inBrackets, ...inBrackets.split(','));
  values.set(planId, known);
}

function filesOf(entry: LedgerEntry): readonly ManifestFile[] {
  if (entry.type === 'done') return entry.result.files;
  return entry.type === 'attempt' ? (entry.files ?? []) : [];
}
