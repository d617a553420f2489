import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { sha256 } from '../../base/fs/fingerprint.js';
import { readSealedFile, writeSealedFile } from '../state/sealed-file.js';
import { type BytePath, onDisk } from './byte-path.js';
import { copyIndex } from './copy-index.js';
import { readStats } from './file-identity.js';
import { removeIfEmpty } from './marked-folder.js';
import { isAsSaved, saveFiles, syncPath } from './saved-files.js';
import type { StepChange, StepChanges } from './step-changes.js';

const FOLDER = 'saved';
const PRIVATE = 0o700;
const NAME = /^([0-9a-f]{16})(?:\.json(?:\.[0-9a-f]+\.new)?)?$/;

/** Relative path without `.` and `..`, so that it cannot lead out of a folder by its names. */
const path = z
  .string()
  .refine((value) => value.split('/').every((name) => !['', '.', '..'].includes(name)));
const savedFile = z.object({ sha256: z.string(), permissions: z.number(), isLink: z.boolean() });
const snapshot = z.object({
  isLink: z.boolean(),
  permissions: z.number(),
  isIgnored: z.boolean(),
  originalStamp: z.string(),
  copyStamp: z.string(),
  sha256: z.string().optional(),
});

const schema = z.object({
  id: z.string(),
  kind: z.enum(['worktree', 'copy']),
  root: z.string(),
  tree: z.string(),
  workspaceDir: z.string(),
  dir: z.string(),
  workspaceNotes: z.array(z.string()),
  notes: z.array(z.string()),
  reported: z.array(
    z.object({
      absolutePath: z.string(),
      path: path.optional(),
      sha256: z.string().optional(),
    }),
  ),
  changes: z.array(
    z.object({
      path,
      before: z.string().optional(),
      isConverted: z.boolean().optional(),
      known: snapshot.optional(),
      /** New file; absent if the step has removed the path. */
      file: savedFile.optional(),
      /** Old content of a text file of a copy. */
      text: savedFile.optional(),
    }),
  ),
  hasTexts: z.boolean(),
  git: z
    .object({
      gitDir: z.string(),
      commonDir: z.string(),
      prefix: z.string(),
      trustModes: z.boolean(),
      commit: z.string(),
      tree: z.string(),
      theirs: z.string(),
      submodules: z.array(path),
    })
    .optional(),
  /** Hash of the index; absent if there is none. */
  index: z.string().optional(),
});

/** Paths of the saved changes with this id. */
function placesOf(stateDir: string, id: string) {
  const folder = join(stateDir, FOLDER, id);
  return {
    record: `${folder}.json`,
    folder,
    files: join(folder, 'files'),
    texts: join(folder, 'texts'),
    index: join(folder, 'index'),
  };
}

/**
 * Saves the changes of a step in the state folder: the changed files, what a merge compares them with, and a signed list
 * of both. Everything is synced: the caller may remove the workspace. Returns the changes as a merge reads them from there.
 */
export async function writeSaved(
  stateDir: string,
  id: string,
  changes: StepChanges,
): Promise<StepChanges> {
  const { record, folder, files, texts, index } = placesOf(stateDir, id);
  try {
    mkdirSync(folder, { recursive: true, mode: PRIVATE });
    const savedFiles = await saveFiles(files, pickSources(changes.changes));
    const savedTexts = await saveFiles(texts, pickTexts(changes));
    if (changes.indexFile !== undefined) copyIndex(changes.indexFile, index);
    if (readStats(index) !== undefined) syncPath(index);
    syncPath(folder);
    const { kind, root, tree, workspaceDir, dir, workspaceNotes, notes, reported, git } = changes;
    const listed = { kind, root, tree, workspaceDir, dir, workspaceNotes, notes, reported, git };
    writeSealedFile(record, {
      id,
      ...listed,
      changes: changes.changes.map(({ path, before, isConverted, known }) => {
        const [file, text] = [savedFiles.get(path), savedTexts.get(path)];
        return { path, before, isConverted, known, file, text };
      }),
      hasTexts: changes.texts !== undefined,
      index: hashOf(index),
    });
    syncPath(record);
    syncPath(join(stateDir, FOLDER));
  } catch (error) {
    dropSaved(stateDir, id);
    throw error;
  }
  return {
    ...changes,
    changes: changes.changes.map((change) => moveSource(change, files)),
    files,
    ...(changes.indexFile === undefined ? {} : { indexFile: index }),
    ...(changes.texts === undefined ? {} : { texts }),
  };
}

/** Reads saved changes. Undefined if they are missing, damaged or not signed: nothing of them is believed then. */
export function readSaved(stateDir: string, id: string): Promise<StepChanges | undefined> {
  // A file that cannot be read is damaged, too: the step runs again.
  return readAndCheck(stateDir, id).catch(() => undefined);
}

async function readAndCheck(stateDir: string, id: string): Promise<StepChanges | undefined> {
  const { record, files, texts, index } = placesOf(stateDir, id);
  const read = readSealedFile(record);
  const saved = read.kind === 'valid' ? schema.safeParse(read.value).data : undefined;
  if (saved?.id !== id || hashOf(index) !== saved.index) return undefined;
  const { hasTexts, changes, index: _hash, id: _id, ...rest } = saved;
  for (const { path, file, text } of changes) {
    if (file !== undefined && !(await isAsSaved(onDisk(files, path), file))) return undefined;
    if (text !== undefined && !(await isAsSaved(onDisk(texts, path), text))) return undefined;
  }
  return {
    ...rest,
    changes: changes.map(({ file, text: _text, ...change }) => {
      return file === undefined ? change : { ...change, source: onDisk(files, change.path) };
    }),
    files,
    ...(saved.git === undefined ? {} : { indexFile: index }),
    ...(hasTexts ? { texts } : {}),
  };
}

/** Removes saved changes, the record first: files without a record are never merged. */
export function dropSaved(stateDir: string, id: string): void {
  const { record, folder } = placesOf(stateDir, id);
  rmSync(record, { force: true });
  rmSync(folder, { recursive: true, force: true });
  removeIfEmpty(join(stateDir, FOLDER));
}

/** Removes all saved changes that no attempt in the ledger waits with. */
export function dropUnusedSaved(stateDir: string, used: ReadonlySet<string>): void {
  const folder = join(stateDir, FOLDER);
  const names = readStats(folder)?.isDirectory() ? readdirSync(folder) : [];
  for (const name of names) {
    const id = NAME.exec(name)?.[1];
    const isUnfinished = name.endsWith('.new');
    if (id === undefined || (used.has(id) && !isUnfinished)) continue;
    if (isUnfinished) rmSync(join(folder, name), { force: true });
    else dropSaved(stateDir, id);
  }
  removeIfEmpty(folder);
}

function moveSource(change: StepChange, files: string): StepChange {
  return change.source === undefined ? change : { ...change, source: onDisk(files, change.path) };
}

function pickSources(changes: readonly StepChange[]): Map<BytePath, Buffer> {
  return new Map(changes.flatMap(({ path, source }) => (source ? [[path, source] as const] : [])));
}

/** Picks the old contents of changed text files, for a three-way merge without a repository. */
function pickTexts({ changes, texts }: StepChanges): Map<BytePath, Buffer> {
  if (texts === undefined) return new Map();
  const sources = changes.map(({ path }) => [path, onDisk(texts, path)] as const);
  return new Map(sources.filter(([, source]) => readStats(source)?.isFile()));
}

function hashOf(file: string): string | undefined {
  return readStats(file)?.isFile() ? sha256(readFileSync(file)) : undefined;
}
