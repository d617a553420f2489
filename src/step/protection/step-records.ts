import { existsSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { realpathOf } from '../../base/fs/paths.js';
import { findStateDirectory } from '../../base/fs/state-directory.js';
import { readEnvironment } from '../../base/process/environment.js';
import { describeProcess, isKnownDead } from '../../base/process/process-identity.js';
import type { EarlierRecord } from './changed-files.js';
import { readFileEntry } from './file-entry.js';
import { findLeftBehind } from './left-behind.js';
import { RecordFolder, type RecordFolderOptions } from './record-folder.js';
import { type FileHashes, hasOwnerEnded, type StepRecord } from './step-record.js';

/** The part of a step that its record has. */
export interface RecordedStep {
  readonly generationId: string;
  readonly workingDir: string;
}

const MOST_IN_MEMORY = 200;

/** Records of the user, by their path: the state directory is asked for each time, because its variable may change. */
const userFolders = new Map<string, RecordFolder>();
/** Folders of batches at work. */
const attached = new Set<RecordFolder>();
/** Steps of this process that have changed protected files, the latest first. */
const ownRecords: EarlierRecord[] = [];
/** Steps of this process at work. */
const atWork = new Set<string>();

/**
 * Keeps the records of all steps in a further folder, until the returned function is called. A batch does so with its
 * state folder: a run on another machine knows the records of earlier runs. At the end, files that came from a worktree
 * or copy into one of the workspaces are entered into the user's records, under their path there.
 */
export function keepRecordsIn(
  options: RecordFolderOptions,
  workspaces: Iterable<string>,
): () => Promise<void> {
  const folder = new RecordFolder(options);
  attached.add(folder);
  return async () => {
    attached.delete(folder);
    for (const record of await folder.read()) {
      const changed = await findMerged(record, workspaces);
      if (Object.keys(changed).length > 0)
        await userFolder()
          .write({ ...record, changed })
          .catch(() => {});
    }
  };
}

/**
 * Notes that a step begins, with its protected files. If the process of the step is killed, a later step compares the
 * files. A disk on which nothing can be written does not stop the step.
 */
export async function beginRecord(
  step: RecordedStep,
  before: FileHashes,
  isDeep: boolean,
): Promise<void> {
  atWork.add(step.generationId);
  await writeEverywhere({ ...toRecord(step), before: toCanonical(before), isDeep, changed: {} });
}

/** Notes that a step is over and which protected files it has changed. */
export async function endRecord(step: RecordedStep, changed: FileHashes): Promise<void> {
  atWork.delete(step.generationId);
  if (Object.keys(changed).length === 0) return removeEverywhere(step.generationId);
  const record = { ...toRecord(step), changed: toCanonical(changed) };
  ownRecords.unshift({ ...record, hasCopies: true });
  ownRecords.splice(MOST_IN_MEMORY);
  await writeEverywhere(record);
}

/** Leaves the record of a step as it was at the beginning: the files cannot be read now. */
export function leaveRecord({ generationId }: RecordedStep): void {
  atWork.delete(generationId);
}

/**
 * Returns the records of earlier steps. Steps of other processes that did not end are compared with the files of the same
 * workspace; the record of one whose process has ended is replaced by the result.
 */
export async function readEarlierRecords(
  workingDir: string,
  listPresent: (isDeep: boolean) => Promise<FileHashes>,
): Promise<readonly EarlierRecord[]> {
  const workspace = realpathOf(workingDir);
  const found = [...ownRecords];
  for (const folder of listFolders()) {
    const { hasCopies } = folder;
    for (const record of await folder.read()) {
      if (record.before === undefined) found.push({ ...record, hasCopies });
      else if (record.workspace === workspace && !atWork.has(record.generationId)) {
        const changed = await findLeftBehind(
          record,
          toCanonical(await listPresent(record.isDeep === true)),
        );
        found.push({ ...record, changed, isAssumed: true });
        if (hasOwnerEnded(record, isKnownDead)) await replace(folder, record, changed);
      }
    }
  }
  return found;
}

async function replace(
  folder: RecordFolder,
  { before: _before, isDeep: _isDeep, ...record }: StepRecord,
  changed: FileHashes,
): Promise<void> {
  const isChanged = Object.keys(changed).length > 0;
  const replaced = isChanged
    ? folder.write({ ...record, changed, isAssumed: true })
    : folder.remove(record.generationId);
  await replaced.catch(() => {});
}

function toRecord({ generationId, workingDir }: RecordedStep): Omit<StepRecord, 'changed'> {
  return { generationId, workspace: realpathOf(workingDir), owner: describeProcess() };
}

/** Folders are asked once each: most protected files lie in few of them. */
function toCanonical(hashes: FileHashes): FileHashes {
  const folders = new Map<string, string>();
  return Object.fromEntries(
    Object.entries(hashes).map(([path, hash]) => {
      const folder = dirname(path);
      const real = folders.get(folder) ?? realpathOf(folder);
      folders.set(folder, real);
      return [join(real, basename(path)), hash];
    }),
  );
}

/** Finds the files of an isolated step, whose own workspace is gone, in the workspaces that they were merged into. */
async function findMerged(record: StepRecord, workspaces: Iterable<string>): Promise<FileHashes> {
  const merged: Record<string, string> = {};
  if (record.before !== undefined || existsSync(record.workspace)) return merged;
  for (const workspace of workspaces) {
    for (const [path, hash] of Object.entries(record.changed)) {
      const target = join(realpathOf(workspace), relative(record.workspace, path));
      const entry = await readFileEntry(target);
      if (hash !== null && entry?.state?.sha256 === hash) merged[target] = hash;
    }
  }
  return merged;
}

function listFolders(): readonly RecordFolder[] {
  return [userFolder(), ...attached];
}

function userFolder(): RecordFolder {
  const path = join(findStateDirectory(readEnvironment()), 'steps');
  const folder = userFolders.get(path) ?? new RecordFolder({ path });
  userFolders.set(path, folder);
  return folder;
}

async function writeEverywhere(record: StepRecord): Promise<void> {
  await Promise.allSettled(listFolders().map((folder) => folder.write(record)));
}

async function removeEverywhere(generationId: string): Promise<void> {
  await Promise.allSettled(listFolders().map((folder) => folder.remove(generationId)));
}
