import { randomBytes } from 'node:crypto';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { statIfThere } from '../../base/fs/stats.js';
import { writeInSharedFolder } from '../../base/fs/write-in-shared-folder.js';
import { describeProcess, isKnownDead } from '../../base/process/process-identity.js';
import { ownerSchema } from '../state/owner-schema.js';
import { readSealedFile, writeSealedFile } from '../state/sealed-file.js';
import { removeIfEmpty } from './marked-folder.js';

const FOLDER = 'isolated';
const RECORD = /^([0-9a-f]{16})\.json$/;
/** Name of a record or a journal whose writing was interrupted. */
const UNFINISHED = /^[0-9a-f]{16}\.(?:json|journal)\.[0-9a-f]+\.new$/;
const UNFINISHED_FOR_MS = 60_000;

const schema = z.object({
  id: z.string(),
  kind: z.enum(['worktree', 'copy', 'shared']),
  /** Folder that changes are merged into: the top of a repository, or the copied folder. */
  root: z.string(),
  /** Marked folder that contains the worktree or the copy. */
  home: z.string(),
  /** Worktree or copy. */
  tree: z.string(),
  /** Staging folder of merges, on the same disk as `root`; in `home` or in `root`. */
  stage: z.string(),
  /** Repository that lists the worktree. */
  commonDir: z.string().optional(),
  /** Process that uses the workspace. */
  owner: ownerSchema,
});

/** Record of the workspace of one attempt, written before the workspace is created, so that a clean-up can find it. */
export type IsolationRecord = Readonly<z.infer<typeof schema>>;

/** Records of workspaces that this process does not use. */
export interface UnusedRecords {
  /** Records whose owner is known to have ended. */
  readonly orphans: readonly IsolationRecord[];
  /** Records whose owner may still be alive: a frozen process, or one in another container or on another machine. */
  readonly uncertain: readonly IsolationRecord[];
  /** Paths of records that are damaged or were not written by this batch. */
  readonly rejected: readonly string[];
}

/** Ids of the records of this process that are in use. */
const active = new Set<string>();

export function createId(): string {
  return randomBytes(8).toString('hex');
}

export function writeRecord(stateDir: string, record: Omit<IsolationRecord, 'owner'>): void {
  const owned = { ...record, owner: describeProcess() };
  writeInSharedFolder(join(stateDir, FOLDER), () =>
    writeSealedFile(recordFile(stateDir, record.id), owned),
  );
  active.add(record.id);
}

/** Removes the record of a workspace that is completely removed, and files whose writing was interrupted. */
export function removeRecord(stateDir: string, id: string): void {
  for (const name of listNames(join(stateDir, FOLDER))) {
    const isUnfinished = name.startsWith(id) && UNFINISHED.test(name);
    if (isUnfinished) rmSync(join(stateDir, FOLDER, name), { force: true });
  }
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

/** Reads the records of workspaces that this process does not use. */
export function readUnusedRecords(stateDir: string): UnusedRecords {
  const orphans: IsolationRecord[] = [];
  const uncertain: IsolationRecord[] = [];
  const rejected: string[] = [];
  for (const name of listNames(join(stateDir, FOLDER))) {
    const id = RECORD.exec(name)?.[1];
    if (id === undefined) continue;
    const file = recordFile(stateDir, id);
    const record = readRecord(file, id);
    if (record === undefined) rejected.push(file);
    else if (record.owner.id === describeProcess().id) {
      if (!active.has(id)) orphans.push(record);
    } else if (isKnownDead(record.owner)) orphans.push(record);
    else uncertain.push(record);
  }
  return { orphans, uncertain, rejected };
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

function listNames(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}

function readRecord(file: string, id: string): IsolationRecord | undefined {
  const read = readSealedFile(file);
  const record = read.kind === 'valid' ? schema.safeParse(read.value).data : undefined;
  return record?.id === id ? record : undefined;
}
