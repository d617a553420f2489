import { randomBytes } from 'node:crypto';
import { rm, rmdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { messageOf } from '../../base/errors/message-of.js';
import { realpathOf } from '../../base/fs/paths.js';
import { findForeignAccess } from '../../base/fs/private-folder.js';
import { lstatIfThere } from '../../base/fs/stats.js';
import { assertReachable } from '../../step/reachable-folders.js';
import { type ReadLedger, readLedger } from '../ledger/read-ledger.js';
import { findMerges } from '../run/open-ledger.js';
import { findMarkerFolder, markerFiles, retireMarker } from '../state/batch-marker.js';
import { type FoldersRecord, readFoldersRecord } from '../state/folders-record.js';
import { Seal } from '../state/seal.js';
import { locateRoot, locateState } from '../state/state-folder.js';
import { findSeal } from '../state/state-key.js';
import { foreignState, notAnOutputFolder, stateElsewhere, unmergedWork } from './clean-errors.js';
import { assertNoBatch, type CleanLeases, takeCleanLeases } from './clean-leases.js';
import { assertNoOwner, cleanLeftovers } from './clean-leftovers.js';
import type { CleanReport } from './clean-report.js';
import { findUnmerged } from './find-unmerged.js';
import { measurePath } from './measure-path.js';
import { cleanOutput } from './output-items.js';
import { removeRetired, retireState } from './retire-state.js';

export interface CleanBatchOptions {
  /** Output folder of the batch. The folder itself may be gone. */
  readonly out: string;
  readonly state?: string | undefined;
  /** Removes results, kept patches and reports, too. */
  readonly all?: boolean | undefined;
  /** Removes work that is not merged yet, and cleans an output folder whose state is lost. */
  readonly force?: boolean | undefined;
  readonly dryRun?: boolean | undefined;
  /** False refuses at once where the lease of an unknown owner would have to expire first. */
  readonly wait?: boolean | undefined;
  readonly onWait?: ((message: string) => void) | undefined;
}

/** State folder of a batch that may be removed. */
interface OwnState {
  readonly dir: string;
  readonly seal: Seal;
  readonly record: FoldersRecord;
  readonly ledger: ReadLedger;
}

/**
 * Removes the state of a batch that does not run, leftovers of its killed runs, and old step folders. The next batch with
 * the same output folder starts from the beginning. Throws INVALID_INPUT and removes nothing if a batch runs there, if the
 * folder belongs to no batch, or if work would be lost.
 */
export async function cleanBatch(options: CleanBatchOptions): Promise<CleanReport> {
  const { state, force = false, dryRun = false, wait = true, onWait = () => {} } = options;
  await assertReachable([options.out, locateRoot(state)]);
  const out = realpathOf(resolve(options.out));
  const stateDir = locateState(out, state);
  const own = await openOwnState(out, stateDir);
  if (own === undefined) assertOutputFolder(out, stateDir, force);
  const seal = own?.seal ?? new Seal(randomBytes(32), 'no key');
  const request = { out, stateDir: own?.dir, seal, wait, onWait };
  if (dryRun) {
    await assertNoBatch(request);
    return clean(out, own, options, undefined);
  }
  const leases = await takeCleanLeases(request);
  try {
    return await clean(out, own, options, leases);
  } finally {
    await leases.release();
  }
}

async function openOwnState(out: string, dir: string): Promise<OwnState | undefined> {
  if (lstatIfThere(dir) === undefined) return undefined;
  const foreign = findForeignAccess(dir);
  if (foreign !== undefined) throw foreignState(dir, foreign);
  const seal = findSeal(dir);
  const record = seal && readFoldersRecord(dir);
  if (seal === undefined || record?.out !== out) {
    throw foreignState(dir, `is not known to belong to ${out}: no signed file in it says so`);
  }
  const ledger = await readLedger(join(dir, 'ledger.jsonl'), seal);
  return { dir, seal, record, ledger };
}

/** Throws if the folder has no id of a batch. An id without a state means that the state lies elsewhere. */
function assertOutputFolder(out: string, stateDir: string, force: boolean): void {
  const [present = '', cleaned = ''] = findMarkerFolder(out) === undefined ? [] : markerFiles(out);
  const hasId = lstatIfThere(present)?.isFile() === true;
  if (hasId && !force) throw stateElsewhere(out, stateDir);
  if (!hasId && !lstatIfThere(cleaned)?.isFile()) throw notAnOutputFolder(out, stateDir);
}

async function clean(
  out: string,
  own: OwnState | undefined,
  { all = false, force = false, dryRun = false }: CleanBatchOptions,
  leases: CleanLeases | undefined,
): Promise<CleanReport> {
  const reports: CleanReport[] = [];
  if (own !== undefined) {
    const unmerged = findUnmerged(own.dir, own.ledger);
    if (unmerged.length > 0 && !force) throw unmergedWork(out, unmerged);
    assertNoOwner(own.dir, force);
    const { workingDirs } = own.record;
    const keptMerges = findMerges(own.ledger.entries);
    const request = { stateDir: own.dir, workingDirs, keptMerges, dryRun };
    reports.push(await cleanLeftovers(request));
  }
  // A workspace that is still there needs its record in the state folder.
  const isStuck = reports.some(({ kept }) => kept.length > 0);
  reports.push(await cleanOutput(out, { all, dryRun }));
  if (own !== undefined && isStuck) {
    const reason = 'is needed for the workspaces that are left';
    reports.push({ removed: [], kept: [{ path: own.dir, reason }], notes: [] });
  } else {
    if (own !== undefined) reports.push(await removeState(own.dir, dryRun));
    if (leases !== undefined) await removeIds(out, all, leases);
  }
  return {
    removed: reports.flatMap(({ removed }) => removed),
    kept: reports.flatMap(({ kept }) => kept),
    notes: reports.flatMap(({ notes }) => notes),
  };
}

async function removeState(dir: string, dryRun: boolean): Promise<CleanReport> {
  const item = { path: dir, what: 'state of the batch', bytes: measurePath(dir) };
  if (dryRun) return { removed: [item], kept: [], notes: [] };
  const retired = await retireState(dir);
  try {
    await removeRetired(retired);
    return { removed: [item], kept: [], notes: [] };
  } catch (error) {
    const reason = `could not be removed completely: ${messageOf(error)}`;
    return { removed: [], kept: [{ path: retired, reason }], notes: [] };
  }
}

/** Marks the output folder as cleaned, or, with `all`, removes everything of the batch and the folder if it is empty. */
async function removeIds(out: string, all: boolean, leases: CleanLeases): Promise<void> {
  const folder = findMarkerFolder(out);
  if (folder === undefined) return;
  // The id may be missing: the folder was cleaned before, or the batch was killed before its first line.
  if (!all) await retireMarker(out).catch(() => {});
  await leases.release();
  if (!all) return;
  for (const file of markerFiles(out)) await rm(file, { force: true });
  await leases.removeFiles();
  await rmdir(folder).catch(() => {});
  await rmdir(out).catch(() => {});
}
