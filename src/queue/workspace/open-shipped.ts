import { mkdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { ProviderError } from '../../base/errors/provider-error.js';
import type { GitDir } from '../../base/git/run-git.js';
import { copyIndex } from '../../batch/isolation/copy-index.js';
import { describeDiskError } from '../../batch/isolation/disk-error.js';
import { settleAll } from '../../batch/isolation/git-output.js';
import type { CollectOptions } from '../../batch/isolation/isolated-workspace.js';
import { createPathMap } from '../../batch/isolation/path-map.js';
import type { ShipLimits } from '../ship-limits.js';
import type { BlobStore } from '../store/blob-store.js';
import { openBase } from './base-cache.js';
import { checkGit } from './check-git.js';
import { type ResolvedShipLimits, resolveShipLimits } from './check-limit.js';
import {
  type CheckOutRequest,
  checkOutTree,
  cleanTree,
  hasPlainFolders,
  moveEarlierTree,
  startAnew,
} from './check-out-tree.js';
import { checkSnapshot } from './check-snapshot.js';
import { collectShipped } from './collect-shipped.js';
import { createGitFolder } from './git-folder.js';
import { checkWorkerRemote, fetchCommit } from './git-remote.js';
import { unpack } from './make-pack.js';
import { readPack } from './pack-blobs.js';
import { assertCommit } from './read-commit.js';
import { createSetupLayer, type WorkspaceSetup } from './setup-layer.js';
import {
  parseShippedWorkspace,
  type ShippedChanges,
  type ShippedWorkspace,
} from './shipped-workspace.js';
import { type AttemptFolder, keepSpare } from './spare-trees.js';
import {
  claimAttempt,
  openWorkerCache,
  removeAttempt,
  removeDeadAttempts,
  type WorkerCache,
  writeBytes,
} from './worker-cache.js';

const PLAIN_NAME = /^[\w][\w .+@-]{0,100}$/;

export interface OpenShippedOptions {
  /** Private folder for bases and worktrees. Several workers on a machine may share it. */
  readonly cacheDir: string;
  /** Size of the cache at which bases that are not in use are removed. */
  readonly cacheBytes?: number | undefined;
  readonly blobs: BlobStore;
  readonly limits?: ShipLimits | undefined;
  /** Time that the result may be in the store: the pack of the changes stays as long. */
  readonly lifeMs?: number | undefined;
  /** Beginnings of the URLs that objects may be fetched from. Default: every URL that does not name this machine. */
  readonly remotes?: readonly string[] | undefined;
  readonly setup?: WorkspaceSetup | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Workspace of one attempt on a worker. */
export interface OpenedWorkspace {
  /** Working directory of the step. */
  readonly dir: string;
  /** Top of the tree that contains it. */
  readonly tree: string;
  readonly notes: readonly string[];
  /** Maps a path of this workspace to the caller's folder. */
  toOriginal(path: string): string;
  /** Maps a path of the caller's folder to this workspace. */
  toWorker(path: string): string;
  /** Finds the changes of the step, and stores them for the caller. The step must have ended. */
  collect(options: CollectOptions): Promise<ShippedChanges>;
  /** Removes the worktree, or keeps it for a later attempt if its changes were collected. */
  dispose(): Promise<void>;
}

/** Opens a workspace that has travelled: takes its objects from the store and checks out a worktree for one attempt. */
export async function openShipped(
  given: ShippedWorkspace,
  options: OpenShippedOptions,
): Promise<OpenedWorkspace> {
  const { cacheDir, cacheBytes, signal } = options;
  const shipped = parseShippedWorkspace(given);
  if (shipped === undefined) throw notShipped();
  if (shipped.remote !== undefined) checkWorkerRemote(shipped.remote, options.remotes);
  await checkGit(signal);
  const cache = openWorkerCache(cacheDir, cacheBytes);
  await removeDeadAttempts(cache);
  const attempt = await claimAttempt(cache, [shipped.base.commit], signal);
  try {
    return await openAttempt(shipped, options, cache, attempt);
  } catch (error) {
    await removeAttempt(attempt);
    throw describeDiskError(error, `Cannot open the workspace of ${shipped.root}`);
  }
}

async function openAttempt(
  shipped: ShippedWorkspace,
  options: OpenShippedOptions,
  cache: WorkerCache,
  attempt: AttemptFolder,
): Promise<OpenedWorkspace> {
  const { blobs, signal, setup, lifeMs } = options;
  const { format, snapshot, root, prefix } = shipped;
  const limits = resolveShipLimits(options.limits);
  const { folder } = attempt;
  const base = await openBase(cache, { shipped, blobs, limits, scratch: folder, signal });
  const name = basename(root);
  const tree = join(folder, 'tree', PLAIN_NAME.test(name) ? name : 'workspace');
  const gitDir = join(folder, 'git');
  const git = { folder: tree, gitDir };
  const isEarlier = moveEarlierTree(folder, tree);
  rmSync(gitDir, { recursive: true, force: true });
  createGitFolder(gitDir, { format, alternates: [join(base, 'objects')], trustModes: true });
  if (!isEarlier) startAnew(folder, tree);
  const receive = async () => {
    await receiveSnapshot(shipped, { git, blobs, limits, signal });
    return settleAll([
      assertCommit(git, snapshot.commit, signal),
      checkSnapshot(git, snapshot.commit, limits, root),
    ]);
  };
  // Git removes what the earlier attempt has left while the objects arrive. What `setup` has made is known only afterwards.
  const clean = async () => {
    if (!isEarlier || setup !== undefined) return false;
    return cleanTree({ folder, git, kept: [], signal }).then(
      () => true,
      () => false,
    );
  };
  const [[treeName, files], isCleaned] = await settleAll([receive(), clean()]);
  const dir = join(tree, prefix);
  const layer =
    setup && createSetupLayer(cache, setup, { git, treeName, files, dir, attempt, signal });
  const kept = isEarlier && layer !== undefined ? await layer.findKept() : [];
  await checkOut({ folder, git, treeName, kept, isCleaned, signal }, isEarlier);
  openAgentRepository(shipped, tree, gitDir);
  mkdirSync(dir, { recursive: true });
  const notes = [...shipped.notes, ...((await layer?.apply(kept)) ?? [])];
  const paths = createPathMap({ root, tree, workspaceDir: shipped.dir, dir });
  const keptDir = join(cache.folder, 'kept');
  const source = { shipped, blobs, signal, limits, lifeMs };
  const opened = { ...source, attempt, git, treeName, dir, keptDir };
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  let isCollected = false;
  return {
    dir,
    tree,
    notes,
    toOriginal: paths.toOriginal,
    toWorker: paths.toIsolated,
    collect: async (request) => {
      const changes = await collectShipped(opened, request);
      isCollected = true;
      return changes;
    },
    dispose: async () => {
      // Processes of a step that was killed may still write to its tree.
      if (isCollected) {
        writeBytes(folder, bytes);
        if (keepSpare(cache, shipped.base.commit, attempt)) return;
      }
      await removeAttempt(attempt);
    },
  };
}

interface SnapshotSource {
  readonly git: GitDir;
  readonly blobs: BlobStore;
  readonly limits: ResolvedShipLimits;
  readonly signal?: AbortSignal | undefined;
}

/** Takes the objects that the base lacks from the store or from the git remote. */
async function receiveSnapshot(
  { base, snapshot, remote, root: subject }: ShippedWorkspace,
  { git, blobs, limits, signal }: SnapshotSource,
): Promise<void> {
  if (snapshot.commit === base.commit) return;
  if (remote !== undefined) await fetchCommit(git, remote, snapshot.commit, signal);
  else if (snapshot.pack !== undefined) {
    const pack = await readPack(blobs, snapshot.pack, { limits, name: 'maxUploadBytes', subject });
    await unpack(git, pack, { mostBytes: limits.maxUploadBytes, signal });
  }
}

/** Checks out the state, into the tree of an earlier attempt if there is one that git can bring up to date. */
async function checkOut(request: CheckOutRequest, isEarlier: boolean): Promise<void> {
  const { folder, git, signal } = request;
  if (isEarlier) {
    try {
      await checkOutTree(request, true);
      if (hasPlainFolders(git.folder, new Set(request.kept))) return;
    } catch (error) {
      if (signal?.aborted) throw error;
    }
    startAnew(folder, git.folder);
    rmSync(join(git.gitDir, 'index'), { force: true });
  }
  await checkOutTree({ ...request, kept: [] }, false);
}

/**
 * Gives the worktree a repository of its own with one commit. The agent may do with it what it likes: nothing that is
 * collected later depends on it, and its objects do not get into the cache.
 */
function openAgentRepository(
  { format, snapshot }: ShippedWorkspace,
  tree: string,
  gitDir: string,
): void {
  const agentDir = join(tree, '.git');
  createGitFolder(agentDir, {
    format,
    alternates: [join(gitDir, 'objects')],
    isUserIgnoring: true,
    head: snapshot.commit,
  });
  copyIndex(join(gitDir, 'index'), join(agentDir, 'index'));
}

function notShipped(): ProviderError {
  return new ProviderError({
    code: 'INVALID_INPUT',
    message: 'The workspace of the job is damaged, or was made by another version of this package',
    hint: 'Use the same version of gemini-cli-provider on both sides of the queue.',
  });
}
