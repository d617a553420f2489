import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import type { BlobStore } from '../store/blob-store.js';
import type { ResolvedShipLimits } from './check-limit.js';
import { withFolderLock } from './folder-lock.js';
import { createGitFolder } from './git-folder.js';
import { fetchCommit } from './git-remote.js';
import { unpack } from './make-pack.js';
import { readPack } from './pack-blobs.js';
import { assertCommit } from './read-commit.js';
import type { ShippedWorkspace } from './shipped-workspace.js';
import { markUsed, shrinkCache, type WorkerCache, writeBytes } from './worker-cache.js';

export interface BaseRequest {
  readonly shipped: Pick<ShippedWorkspace, 'base' | 'format' | 'remote' | 'root'>;
  readonly blobs: BlobStore;
  readonly limits: ResolvedShipLimits;
  /** Folder of the attempt, for an unfinished base. */
  readonly scratch: string;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Returns the repository with the objects of a base. The first attempt that needs the base takes it from the store; others
 * on this machine wait for that. A base is complete when it has its name, and is never changed afterwards.
 */
export async function openBase(cache: WorkerCache, request: BaseRequest): Promise<string> {
  const { shipped, signal } = request;
  const path = join(cache.bases, shipped.base.commit);
  if (!existsSync(path)) {
    await withFolderLock(`${path}.lock`, () => loadBase(path, request), signal);
    await shrinkCache(cache, { signal });
  }
  markUsed(path);
  return path;
}

async function loadBase(path: string, request: BaseRequest): Promise<void> {
  if (existsSync(path)) return;
  const { shipped, blobs, limits, scratch, signal } = request;
  const { base, format, remote, root: subject } = shipped;
  const gitDir = join(scratch, 'base');
  createGitFolder(gitDir, { format });
  const git = { folder: scratch, gitDir };
  let bytes = 0;
  if (remote !== undefined) await fetchCommit(git, remote, base.commit, signal);
  else if (base.pack !== undefined) {
    const pack = await readPack(blobs, base.pack, { limits, name: 'maxUploadBytes', subject });
    bytes = pack.length;
    await unpack(git, pack, { mostBytes: limits.maxUploadBytes, signal });
  }
  await assertCommit(git, base.commit, signal);
  writeBytes(gitDir, bytes);
  renameSync(gitDir, path);
}
