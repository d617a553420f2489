import { lstatSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { hasErrno } from '../../base/errors/errno.js';
import { ProviderError } from '../../base/errors/provider-error.js';
import { findForeignAccess } from '../../base/fs/private-folder.js';
import { readFolder } from '../../base/fs/read-folder.js';
import { lstatIfThere, statIfThere } from '../../base/fs/stats.js';
import { assertReachable, type ReachableOptions } from '../../step/reachable-folders.js';
import { type FoldersRecord, readFoldersRecord } from '../state/folders-record.js';
import { locateRoot } from '../state/state-folder.js';
import { cleanBatch } from './clean-batch.js';
import type { CleanReport, KeptItem, RemovedItem } from './clean-report.js';
import { measurePath } from './measure-path.js';
import { nameBeforeRetirement, removeRetired } from './retire-state.js';

const STATE = /-[0-9a-f]{16}$/;
/** Time after which a batch removes state folders whose output folder is gone. */
const UNUSED_MS = 30 * 86_400_000;
/** Number of state folders that the start of a batch looks at, and that it removes: a start must not become slow. */
const MOST_LOOKED_AT = 20;
const MOST_REMOVED = 3;
/** Time for the answer of a remote file system to that look. */
const LOOK_MS = 500;

export interface CleanStatesOptions {
  readonly state?: string | undefined;
  readonly olderThanMs: number;
  readonly force?: boolean | undefined;
  readonly dryRun?: boolean | undefined;
  readonly nowMs?: number | undefined;
  readonly onWait?: ((message: string) => void) | undefined;
}

export interface RetireOptions {
  readonly nowMs?: number | undefined;
  /** Ends the look at further folders. */
  readonly signal?: AbortSignal | undefined;
}

/** A state folder that its signed record proves to be one of this package. */
interface KnownState {
  readonly dir: string;
  readonly out: string;
  readonly lastUseMs: number;
  /** `present`: there. `gone`: removed. `unknown`: on a disk that is not mounted, or in a folder that was removed, too. */
  readonly outIs: 'present' | 'gone' | 'unknown';
}

/**
 * Cleans all batches below a state root that were last used before a time, or whose output folder was removed. Batches that
 * run, and batches with work that is not merged yet, are kept and listed.
 */
export async function cleanStates(options: CleanStatesOptions): Promise<CleanReport> {
  const { olderThanMs, force, dryRun = false, nowMs = Date.now(), onWait } = options;
  const root = locateRoot(options.state);
  const removed: RemovedItem[] = [];
  const kept: KeptItem[] = [];
  const notes: string[] = [];
  for (const name of listNames(root)) {
    const dir = join(root, name);
    const former = nameBeforeRetirement(name);
    if (former !== undefined && isOwn(dir, former)) {
      removed.push({ path: dir, what: 'rest of a state', bytes: measurePath(dir) });
      if (!dryRun) await removeRetired(dir);
      continue;
    }
    const known = STATE.test(name) ? await findKnown(dir) : undefined;
    if (known === undefined) continue;
    if (known.outIs !== 'gone' && nowMs - known.lastUseMs < olderThanMs) continue;
    try {
      const report = await cleanBatch({ out: known.out, state: root, force, dryRun, onWait });
      removed.push(...report.removed);
      kept.push(...report.kept);
      notes.push(...report.notes);
    } catch (error) {
      if (!ProviderError.isInstance(error)) throw error;
      kept.push({ path: dir, reason: `is kept: ${error.message}` });
    }
  }
  return { removed, kept, notes };
}

/**
 * Removes a few state folders of batches whose output folder is gone and that were not used for 30 days, at the start of
 * another batch. Never one that may be alive or has work that is not merged. Failures are ignored: the batch needs none of it.
 */
export async function retireUnusedStates(
  stateDir: string,
  { nowMs = Date.now(), signal }: RetireOptions = {},
): Promise<void> {
  const root = dirname(stateDir);
  const names = listNames(root).filter((name) => STATE.test(name) && join(root, name) !== stateDir);
  const first = Math.floor(Math.random() * names.length);
  let removals = 0;
  // A random beginning: folders that must stay do not keep the others from being looked at.
  for (const name of [...names.slice(first), ...names.slice(0, first)].slice(0, MOST_LOOKED_AT)) {
    if (removals >= MOST_REMOVED || signal?.aborted) return;
    const dir = join(root, name);
    if (nowMs - findLastUse(dir) < UNUSED_MS) continue;
    const known = await findKnown(dir, { signal, limitMs: LOOK_MS });
    if (known?.outIs !== 'gone') continue;
    await cleanBatch({ out: known.out, state: root, wait: false }).then(
      () => removals++,
      () => undefined,
    );
  }
}

function listNames(root: string): string[] {
  return readFolder(root).flatMap((entry) => (entry.isDirectory() ? entry.name : []));
}

function isOwn(dir: string, name: string): boolean {
  return findForeignAccess(dir) === undefined && readFoldersRecord(dir, name) !== undefined;
}

/** Reads a state folder. Undefined if the folder is not ours, or if the disk of its output folder does not answer. */
async function findKnown(
  dir: string,
  limits: ReachableOptions = {},
): Promise<KnownState | undefined> {
  const record = findForeignAccess(dir) === undefined ? readFoldersRecord(dir) : undefined;
  if (record === undefined) return undefined;
  const { out } = record;
  const answers = await assertReachable([dirname(out)], limits).then(
    () => true,
    () => false,
  );
  return answers ? { dir, out, lastUseMs: findLastUse(dir), outIs: lookFor(record) } : undefined;
}

/** Returns the time of the last change of a file in the state folder. Leases do not count: a clean-up takes them, too. */
function findLastUse(dir: string): number {
  const names = readFolder(dir).flatMap(({ name }) => (name.startsWith('lease-') ? [] : name));
  const times = names.map((name) => lstatIfThere(join(dir, name))?.mtimeMs ?? 0);
  return Math.max(0, ...times);
}

/**
 * A missing output folder is gone only if its parent folder is there and on the same device as before: otherwise its disk
 * may not be mounted.
 */
function lookFor({ out, device }: FoldersRecord): KnownState['outIs'] {
  try {
    lstatSync(out);
    return 'present';
  } catch (error) {
    if (!hasErrno(error, 'ENOENT')) return 'unknown';
    const parent = statIfThere(dirname(out));
    return parent?.isDirectory() && parent.dev === device ? 'gone' : 'unknown';
  }
}
