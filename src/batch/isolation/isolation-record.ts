import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Isolation } from '../../api/batch-plan.js';
import { statIfThere } from '../../base/fs/stats.js';
import { isProcessAlive, readStartTime } from '../../base/process/process-table.js';
import { removeIfEmpty } from './marked-folder.js';

const FOLDER = 'isolated';
const RECORD = /^([0-9a-f]{16})\.json$/;
/** A record that was never finished: nothing was made for it. */
const UNFINISHED = /^[0-9a-f]{16}\.json\.new$/;
const UNFINISHED_FOR_MS = 60_000;

/** What is to be removed for one attempt, written down before it is made. */
export interface IsolationRecord {
  readonly id: string;
  readonly kind: Isolation;
  /** The folder that the changes come back to: the top of a repository, or the copied folder. */
  readonly root: string;
  /** Our own folder, with the worktree or the copy in it. */
  readonly home: string;
  /** The worktree or the copy itself. */
  readonly tree: string;
  /** Where merges are prepared, on the same disk as `root`; in `home` or in `root`. */
  readonly stage: string;
  /** The repository that knows of the worktree. */
  readonly commonDir?: string | undefined;
  readonly pid: number;
  /** Tells the process from a later one with the same number. */
  readonly startTime?: number | undefined;
}

/** Those of this process that are in use. */
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

/** All that is left of it is gone. */
export function removeRecord(stateDir: string, id: string): void {
  rmSync(recordFile(stateDir, id), { force: true });
  removeIfEmpty(join(stateDir, FOLDER));
  active.delete(id);
}

/** Its owner has done with it, although something of it may be left. */
export function retireRecord(id: string): void {
  active.delete(id);
}

export function journalFile(stateDir: string, id: string): string {
  return join(stateDir, FOLDER, `${id}.journal`);
}

/** What is recorded and in nobody's use. A record that cannot be read is passed over. */
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
