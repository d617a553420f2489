import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { ProviderError } from '../../base/errors/provider-error.js';
import { realpathOf } from '../../base/fs/paths.js';
import { findForeignAccess } from '../../base/fs/private-folder.js';
import { statIfThere } from '../../base/fs/stats.js';
import { describeProcess, isKnownDead } from '../../base/process/process-identity.js';
import { createId } from '../../batch/isolation/isolation-record.js';
import {
  createMarkedFolder,
  markedFolderName,
  removeMarkedFolder,
} from '../../batch/isolation/marked-folder.js';
import { ownerSchema } from '../../batch/state/owner-schema.js';
import { withFolderLock } from './folder-lock.js';
import { type AttemptFolder, type SpareFolders, takeSpare } from './spare-trees.js';

const PRIVATE = 0o700;
const RECORD = 'attempt.json';
const ATTEMPT = /^gemini-cli-provider-([0-9a-f]{16})$/;
/** Age after which the folder of an attempt counts as left behind if its owner cannot be asked for. */
const UNCERTAIN_FOR_MS = 7 * 24 * 60 * 60 * 1000;
const UNFINISHED_FOR_MS = 60 * 60 * 1000;
const DEFAULT_CACHE_BYTES = 5 * 1024 * 1024 * 1024;

/** Private folder of the workers on one machine: bases by name, results of setup commands, and one folder per attempt. */
export interface WorkerCache extends SpareFolders {
  readonly folder: string;
  readonly bases: string;
  readonly setups: string;
  readonly mostBytes: number;
}

const recordSchema = z.object({ owner: ownerSchema, uses: z.array(z.string()) });

export function openWorkerCache(cacheDir: string, mostBytes = DEFAULT_CACHE_BYTES): WorkerCache {
  mkdirSync(cacheDir, { recursive: true, mode: PRIVATE });
  const folder = realpathOf(cacheDir);
  const problem = findForeignAccess(folder);
  if (problem !== undefined) {
    throw new ProviderError({
      code: 'INVALID_CONFIG',
      message: `Cache folder ${folder} ${problem}`,
      hint: 'Set `cacheDir` (`--cache`) to a folder that only the user of the worker can write to.',
    });
  }
  const parts = ['bases', 'setups', 'attempts', 'spares'].map((name) => join(folder, name));
  for (const part of parts) mkdirSync(part, { recursive: true, mode: PRIVATE });
  const [bases = '', setups = '', attempts = '', spares = ''] = parts;
  return { folder, bases, setups, attempts, spares, mostBytes };
}

/**
 * Creates the folder of an attempt, or takes one that an ended attempt has left. Its record names what the attempt uses, so that no other worker removes that, and its
 * owner, so that another worker removes the folder if this process dies.
 */
export function claimAttempt(
  cache: WorkerCache,
  uses: readonly string[],
  signal?: AbortSignal,
): Promise<AttemptFolder> {
  return withCache(
    cache,
    () => {
      const attempt =
        uses.flatMap((base) => takeSpare(cache, base) ?? [])[0] ?? createAttempt(cache);
      const record = { owner: describeProcess(), uses };
      writeFileSync(join(attempt.folder, RECORD), JSON.stringify(record));
      return attempt;
    },
    signal,
  );
}

function createAttempt(cache: WorkerCache): AttemptFolder {
  const id = createId();
  const folder = join(cache.attempts, markedFolderName(id));
  createMarkedFolder(folder, id);
  return { id, folder };
}

export async function removeAttempt({ folder, id }: AttemptFolder): Promise<boolean> {
  return removeMarkedFolder(folder, id);
}

/** Removes folders of attempts whose worker has died. */
export async function removeDeadAttempts(cache: WorkerCache): Promise<void> {
  for (const name of readdirSync(cache.attempts)) {
    const id = ATTEMPT.exec(name)?.[1];
    const folder = join(cache.attempts, name);
    if (id !== undefined && isLeftBehind(folder)) await removeMarkedFolder(folder, id);
  }
}

function isLeftBehind(folder: string): boolean {
  const age = Date.now() - (statIfThere(folder)?.mtimeMs ?? Date.now());
  const record = readRecord(folder);
  if (record === undefined) return age > UNFINISHED_FOR_MS;
  return isKnownDead(record.owner) || age > UNCERTAIN_FOR_MS;
}

/** Marks a base or the result of a setup command as used now. */
export function markUsed(path: string): void {
  utimesSync(path, new Date(), new Date());
}

/** Removes what was not used for the longest time until the cache is small enough, and nothing that an attempt uses. */
export function shrinkCache(
  cache: WorkerCache,
  { kept: inUse, signal }: { readonly kept?: string; readonly signal?: AbortSignal | undefined },
): Promise<void> {
  return withCache(
    cache,
    () => {
      const used = new Set(
        readdirSync(cache.attempts).flatMap(
          (name) => readRecord(join(cache.attempts, name))?.uses ?? [],
        ),
      );
      const kept = [cache.spares, cache.bases, cache.setups]
        .flatMap((folder) =>
          readdirSync(folder).map((name) => ({ name, path: join(folder, name) })),
        )
        .filter(({ name }) => !name.includes('.'))
        .map((item) => ({
          ...item,
          bytes: readBytes(item.path),
          usedAt: statIfThere(item.path)?.mtimeMs ?? 0,
        }))
        .sort((a, b) => a.usedAt - b.usedAt);
      let bytes = kept.reduce((sum, item) => sum + item.bytes, 0);
      for (const item of kept) {
        if (bytes <= cache.mostBytes) break;
        if (used.has(item.name) || item.name === inUse) continue;
        bytes -= item.bytes;
        renameSync(item.path, `${item.path}.old`);
        rmSync(`${item.path}.old`, { recursive: true, force: true });
      }
    },
    signal,
  );
}

/** Writes the size of a finished part of the cache, so that no clean-up has to count its files. */
export function writeBytes(path: string, bytes: number): void {
  writeFileSync(join(path, 'bytes'), String(bytes));
}

function readBytes(path: string): number {
  try {
    return Number(readFileSync(join(path, 'bytes'), 'utf8')) || 0;
  } catch {
    return 0;
  }
}

function readRecord(folder: string): z.infer<typeof recordSchema> | undefined {
  try {
    return recordSchema.parse(JSON.parse(readFileSync(join(folder, RECORD), 'utf8')));
  } catch {
    return undefined;
  }
}

function withCache<T>(cache: WorkerCache, work: () => T, signal?: AbortSignal): Promise<T> {
  return withFolderLock(join(cache.folder, 'lock'), work, signal);
}
