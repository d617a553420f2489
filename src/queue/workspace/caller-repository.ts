import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { realpathOf } from '../../base/fs/paths.js';
import { readIfThere } from '../../base/fs/read-if-there.js';
import { statIfThere } from '../../base/fs/stats.js';
import { askGit } from '../../base/git/run-git.js';
import { openKnownRepository } from '../../batch/isolation/open-known-repository.js';
import { type Repository, refuseIgnored } from '../../batch/isolation/open-repository.js';
import { createGitFolder, type ObjectFormat } from './git-folder.js';

const PRIVATE = 0o700;
const DIGEST_CHARACTERS = 32;
/** Age after which a repository is built anew: nothing ever removes its old objects. */
const OLDEST_MS = 14 * 24 * 60 * 60 * 1000;

/** Folder whose state travels: the top of a repository, or a folder that is in none. */
export interface ShippedFolder {
  readonly root: string;
  /** Working directory, relative to `root`. */
  readonly prefix: string;
  /** The user's repository; undefined for a folder that is in none. */
  readonly repository: Repository | undefined;
  readonly trustModes: boolean;
}

/**
 * Repository of this package in the state folder, with the states of a folder. The user's repository lends its objects and
 * gets none.
 */
export interface CallerRepository {
  readonly folder: string;
  readonly gitDir: string;
  readonly format: ObjectFormat;
  /** Index of the last state of this folder. */
  readonly indexFile: string;
  readonly isNew: boolean;
}

/** Finds the folder that travels for a working directory. What git cannot use as a repository is a plain folder. */
export async function findShippedFolder(dir: string, signal?: AbortSignal): Promise<ShippedFolder> {
  const plain = { root: realpathOf(dir), prefix: '', repository: undefined, trustModes: true };
  try {
    const repository = await openKnownRepository(dir, signal);
    await refuseIgnored(repository, signal);
    const { top, prefix, trustModes } = repository;
    return { root: top, prefix, repository, trustModes };
  } catch (error) {
    if (signal?.aborted) throw error;
    return plain;
  }
}

export function callerFolder(stateDir: string, { root, repository }: ShippedFolder): string {
  return join(stateDir, 'ship', digest(repository?.commonDir ?? root));
}

/** Opens the repository for the states of a folder, and creates it if needed. Worktrees of a repository share one. */
export async function openCallerRepository(
  stateDir: string,
  shipped: ShippedFolder,
  signal?: AbortSignal,
): Promise<CallerRepository> {
  const { root, repository, trustModes } = shipped;
  const folder = callerFolder(stateDir, shipped);
  const gitDir = join(folder, 'git');
  const age = Date.now() - (statIfThere(join(gitDir, 'HEAD'))?.mtimeMs ?? Date.now());
  if (age > OLDEST_MS) discardCallerRepository(folder);
  const objects = repository && join(repository.commonDir, 'objects');
  const excludes = repository && readIfThere(join(repository.commonDir, 'info', 'exclude'));
  const indexFile = join(folder, `index-${digest(root)}`);
  if (existsSync(join(gitDir, 'HEAD'))) {
    const format = readFileSync(join(gitDir, 'config'), 'utf8').includes('sha256')
      ? 'sha256'
      : 'sha1';
    const file = join(gitDir, 'info', 'exclude');
    if ((excludes ?? '') !== readIfThere(file)) writeFileSync(file, excludes ?? '');
    return { folder, gitDir, format, indexFile, isNew: false };
  }
  const format = repository === undefined ? 'sha1' : await readFormat(repository, signal);
  mkdirSync(folder, { recursive: true, mode: PRIVATE });
  createGitFolder(gitDir, {
    format,
    trustModes,
    excludes,
    isUserIgnoring: true,
    alternates: objects === undefined ? [] : [objects],
  });
  return { folder, gitDir, format, indexFile, isNew: true };
}

/** Removes the repository of a folder. Another process that uses it builds its own anew. */
export function discardCallerRepository(folder: string): void {
  const removed = `${folder}.${randomBytes(6).toString('hex')}.old`;
  try {
    renameSync(folder, removed);
  } catch {
    return;
  }
  rmSync(removed, { recursive: true, force: true });
}

async function readFormat(
  { top, gitDir }: Repository,
  signal: AbortSignal | undefined,
): Promise<ObjectFormat> {
  const args = ['rev-parse', '--show-object-format'];
  const { stdout } = await askGit({ folder: top, gitDir }, args, { signal });
  return stdout.toString().trim() === 'sha256' ? 'sha256' : 'sha1';
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, DIGEST_CHARACTERS);
}
