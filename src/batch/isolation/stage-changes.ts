import {
  type BigIntStats,
  chmodSync,
  constants,
  copyFileSync,
  lchownSync,
  readlinkSync,
  symlinkSync,
} from 'node:fs';
import { createEventLoopYield } from '../../base/process/yield-to-event-loop.js';
import { onDisk } from './byte-path.js';
import { type CheckedChange, TreeChangedError } from './check-changes.js';
import { type FileIdentity, isExecutable, readStats, toFileIdentity } from './file-identity.js';
import { permissionsOf, readContent } from './file-snapshot.js';

const FILES_PER_YIELD = 64;
const EXECUTABLE = 0o111;

export interface StageOptions {
  readonly root: string;
  /** Staging folder, on the same disk as `root`. */
  readonly stage: string;
  /** True if the execute bit of a source counts. */
  readonly trustModes: boolean;
}

export interface StagedChange extends CheckedChange {
  /** New file or link in the staging folder; absent if the path is to be removed. */
  readonly staged?: FileIdentity | undefined;
}

/**
 * Writes all new files to the staging folder and compares them with their sources. A full disk fails here, before the
 * original is touched. After the moves, the identity of a staged file then proves its content.
 */
export async function stageChanges(
  changes: readonly CheckedChange[],
  options: StageOptions,
): Promise<StagedChange[]> {
  const eventLoop = createEventLoopYield({ every: FILES_PER_YIELD });
  const staged: StagedChange[] = [];
  for (const [index, change] of changes.entries()) {
    await eventLoop.spend(1);
    const identity = change.source && (await stageOne(change, change.source, index, options));
    staged.push({ ...change, staged: identity });
  }
  return staged;
}

/** Returns the path of the new content of a change in the staging folder. */
export function stagedPath(stage: string, index: number): string {
  return `${stage}/new-${index}`;
}

async function stageOne(
  change: CheckedChange,
  source: Buffer,
  index: number,
  { root, stage, trustModes }: StageOptions,
): Promise<FileIdentity> {
  const file = stagedPath(stage, index);
  const original = change.original && readStats(onDisk(root, change.path));
  const stats = readStats(source);
  // The step is over, but a process that it has left may still change its files: the merge is planned again.
  if (!stats?.isFile() && !stats?.isSymbolicLink()) throw new TreeChangedError();
  if (stats.isSymbolicLink()) {
    symlinkSync(readlinkSync(source, 'buffer'), file);
  } else {
    copyFileSync(source, file, constants.COPYFILE_FICLONE);
    if (change.permissions !== undefined) chmodSync(file, change.permissions);
    else if (original?.isFile()) chmodSync(file, permissions(original, stats, trustModes));
  }
  if (original !== undefined) keepOwner(file, original);
  const staged = readStats(file);
  if (staged === undefined) throw new Error(`Staged file ${file} was removed by another program`);
  const [wanted, written] = [
    await readContent(source, stats),
    await readContent(Buffer.from(file), staged),
  ];
  if (wanted.sha256 !== written.sha256) throw new TreeChangedError();
  return toFileIdentity(staged);
}

/** Returns the permissions of the original, with the execute bits of the source. */
function permissions(original: BigIntStats, source: BigIntStats, trustModes: boolean): number {
  const mode = permissionsOf(original);
  if (!trustModes) return mode;
  return isExecutable(source) ? mode | ((mode & 0o444) >> 2) : mode & ~EXECUTABLE;
}

/**
 * Gives the new file the owner of the original, so that a process run by root does not take over files of other users.
 */
function keepOwner(file: string, { uid, gid }: BigIntStats): void {
  const ours = readStats(file);
  if (ours === undefined || (ours.uid === uid && ours.gid === gid)) return;
  try {
    lchownSync(file, Number(uid), Number(gid));
  } catch {
    // Without the right to change the owner, the file belongs to the user of this process, like any new file.
  }
}
