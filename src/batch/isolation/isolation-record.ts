import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Isolation } from '../../api/batch-plan.js';
import { statIfThere } from '../../base/fs/stats.js';
import { isProcessAlive, readStartTime } from '../../base/process/process-table.js';
import { removeIfEmpty } from './marked-folder.js';

const FOLDER = 'isolated';
const RECORD = /^([0-9a-f]{16})\.json$/;
/** Name of a record whose writing was interrupted. No workspace was created for it. */
const UNFINISHED = /^[0-9a-f]{16}\.json\.new$/;
const UNFINISHED_FOR_MS = 60_000;

/** Record of the workspace of one attempt, written before the workspace is created, so that a clean-up can find it. */
export interface IsolationRecord {
  readonly id: string;
  readonly kind: Isolation;
  /** Folder that changes are merged into: the top of a repository, or the copied folder. */
  readonly root: string;
  /** Marked folder that contains the worktree or the copy. */
  readonly home: string;
  /** Worktree or copy. */
  readonly tree: string;
  /** Staging folder of merges, on the same disk as `root`; in `home` or in `root`. */
  readonly stage: string;
  /** Repository that lists the worktree. */
  readonly commonDir?: string | undefined;
  readonly pid: number;
  /** Start time of the process, because a later process may get the same pid. */
  readonly startTime?: number | undefined;
}

/** Ids of the records of this process that are in use. */
const active = new Set<string>();

export function createId(): string {
  return randomBytes(8).toString('hex');
}

export function writeRecord(
  stateDir: string,
  record: Omit<IsolationRecord, 'pid' | 'startTime'>,
): void {
  const startTime = readStartTime(process.pid);
  const file = recordFile(stateDir, record.id);
  mkdirSync(join(stateDir, FOLDER), { recursive: true });
  writeFileSync(`${file}.new`, JSON.stringify({ ...record, pid: process.pid, startTime }));
  renameSync(`${file}.new`, file);
  active.add(record.id);
}

/** Removes the record of a workspace that is completely removed. */
export function removeRecord(stateDir: string, id: string): void {
  rmSync(recordFile(stateDir, id), { force: true });
  removeIfEmpty(join(stateDir, FOLDER));
  active.delete(id);
}

/** Marks the workspace as unused, although files of it may be left. A later clean-up may remove them. */
export function retireRecord(id: string): void {
  active.delete(id);
}

export function journalFile(stateDir: string, id: string): string {
  return join(stateDir, FOLDER, `${id}.journal`);
}

/** Reads the records of workspaces that no living process uses. Unreadable records are skipped. */
export function readOrphans(stateDir: string): IsolationRecord[] {
  return listRecords(stateDir).filter((record) => !isInUse(record));
}

export function removeUnfinishedRecords(stateDir: string): void {
  const folder = join(stateDir, FOLDER);
  for (const name of listNames(folder).filter((name) => UNFINISHED.test(name))) {
    const age = Date.now() - (statIfThere(join(folder, name))?.mtimeMs ?? Date.now());
    if (age > UNFINISHED_FOR_MS) rmSync(join(folder, name), { force: true });
  }
  removeIfEmpty(folder);
}

function recordFile(stateDir: string, id: string): string {
  return join(stateDir, FOLDER, `${id}.json`);
}

function listRecords(stateDir: string): IsolationRecord[] {
  return listNames(join(stateDir, FOLDER)).flatMap((name) => {
    const id = RECORD.exec(name)?.[1];
    return (id !== undefined && readRecord(recordFile(stateDir, id), id)) || [];
  });
}

function listNames(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}

function readRecord(file: string, id: string): IsolationRecord | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return isRecord(value) && value.id === id ? value : undefined;
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is IsolationRecord {
  if (typeof value !== 'object' || value === null) return false;
  const record: Partial<Record<keyof IsolationRecord, unknown>> = value;
  const { id, kind, root, home, tree, stage } = record;
  const texts = [id, kind, root, home, tree, stage];
  const isRepository = ['string', 'undefined'].includes(typeof record.commonDir);
  return (
    texts.every((text) => typeof text === 'string') &&
    isRepository &&
    typeof record.pid === 'number'
  );
}

function isInUse({ id, pid, startTime }: IsolationRecord): boolean {
  if (pid === process.pid && startTime === readStartTime(pid)) return active.has(id);
  return isProcessAlive(pid, startTime);
}
