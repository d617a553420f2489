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
import type { CheckedChange } from './check-changes.js';
import { type FileIdentity, readFileIdentity, toFileIdentity } from './file-identity.js';

const FILES_PER_YIELD = 64;
const PERMISSIONS = 0o777n;
const EXECUTABLE = 0o111n;

export interface StageOptions {
  readonly root: string;
  /** A folder on the same disk. */
  readonly stage: string;
  /** Whether the execute bit of a source means anything. */
  readonly trustModes: boolean;
}

export interface StagedChange extends CheckedChange {
  /** The new file or link, ready to be moved into place; absent: there is to be nothing. */
  readonly staged?: FileIdentity | undefined;
}

/** Writes all that is new beside the folder. A disk that is full is met here, before anything was touched. */
export async function stageChanges(
  changes: readonly CheckedChange[],
  options: StageOptions,
): Promise<StagedChange[]> {
  const eventLoop = createEventLoopYield({ every: FILES_PER_YIELD });
  const staged: StagedChange[] = [];
  for (const [index, change] of changes.entries()) {
    await eventLoop.spend(1);
    const mark = change.source && stageOne(change, change.source, index, options);
    staged.push({ ...change, staged: mark });
  }
  return staged;
}

/** Where the new content of a change waits. */
export function stagedPath(stage: string, index: number): string {
  return `${stage}/new-${index}`;
}

function stageOne(
  change: CheckedChange,
  source: Buffer,
  index: number,
  { root, stage, trustModes }: StageOptions,
): FileIdentity {
  const file = stagedPath(stage, index);
  const original = change.original && readFileIdentity(onDisk(root, change.path));
  const stats = readFileIdentity(source);
  if (stats?.isSymbolicLink()) {
    symlinkSync(readlinkSync(source, 'buffer'), file);
  } else {
    copyFileSync(source, file, constants.COPYFILE_FICLONE);
    if (stats !== undefined && original?.isFile()) {
      chmodSync(file, Number(permissions(original, stats, trustModes)));
    }
  }
  if (original !== undefined) keepOwner(file, original);
  const staged = readFileIdentity(file);
  if (staged === undefined) throw new Error('a staged file has gone');
  return toFileIdentity(staged);
}

/** Those of the original; only whether it can be executed is the source's to say. */
function permissions(original: BigIntStats, source: BigIntStats, trustModes: boolean): bigint {
  const mode = original.mode & PERMISSIONS;
  if (!trustModes) return mode;
  return (source.mode & 0o100n) === 0n ? mode & ~EXECUTABLE : mode | ((mode & 0o444n) >> 2n);
}

/** Who runs as root does not take over the files of others. */
function keepOwner(file: string, { uid, gid }: BigIntStats): void {
  const ours = readFileIdentity(file);
  if (ours === undefined || (ours.uid === uid && ours.gid === gid)) return;
  try {
    lchownSync(file, Number(uid), Number(gid));
  } catch {
    // Then it is ours, like every file that is written anew.
  }
}
