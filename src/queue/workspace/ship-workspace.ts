import { resolve } from 'node:path';
import { ProviderError } from '../../base/errors/provider-error.js';
import { statIfThere } from '../../base/fs/stats.js';
import { writeCommit } from '../../batch/isolation/write-commit.js';
import type { ShipLimits } from '../ship-limits.js';
import type { BlobStore } from '../store/blob-store.js';
import {
  type CallerRepository,
  callerFolder,
  discardCallerRepository,
  findShippedFolder,
  openCallerRepository,
  type ShippedFolder,
} from './caller-repository.js';
import { checkGit } from './check-git.js';
import { checkShipLimit, type ResolvedShipLimits, resolveShipLimits } from './check-limit.js';
import { carryByRemote } from './git-remote.js';
import { findStoredBase, rememberBase } from './known-bases.js';
import { packChange, packWhole } from './make-pack.js';
import { packTtl, storePack } from './pack-blobs.js';
import type { ShippedWorkspace } from './shipped-workspace.js';
import { snapshotFolder } from './snapshot-folder.js';

/** A change of at most this size never makes a new base. */
const SMALL_CHANGE_BYTES = 1024 * 1024;
/** A change of a larger part of the base makes a new base. */
const LARGE_PART = 0.25;
/** Time of all commits: the same files give the same commit on every machine, so that a worker knows its base. */
const COMMIT_SECONDS = 0;

export interface ShipOptions {
  /** Working directory of the step. */
  readonly dir: string;
  /** Ignored files that travel too: paths and globs, relative to `dir`. */
  readonly include?: readonly string[] | undefined;
  readonly limits?: ShipLimits | undefined;
  readonly blobs: BlobStore;
  /** Time that the job and its result may be in the store: the packs stay as long. */
  readonly lifeMs?: number | undefined;
  /** URL of a git remote that carries the objects instead of the store. */
  readonly remote?: string | undefined;
  /** Private folder for the repositories of this caller. */
  readonly stateDir: string;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Takes the state of a folder and stores it for a worker: the base once, and then what has changed since. The user's
 * repository stays as it is: index, refs, stash, HEAD, configuration and objects.
 */
export async function shipWorkspace(options: ShipOptions): Promise<ShippedWorkspace> {
  const { signal, stateDir } = options;
  const dir = resolve(options.dir);
  if (!statIfThere(dir)?.isDirectory()) {
    throw new ProviderError({
      code: 'INVALID_INPUT',
      message: `Working directory ${dir} does not exist or is no folder`,
      hint: 'Create the folder, or set `workingDir` to an existing one.',
    });
  }
  await checkGit(signal);
  const shipped = await findShippedFolder(dir, signal);
  const ship = async () => {
    const caller = await openCallerRepository(stateDir, shipped, signal);
    return shipFolder({ ...options, dir }, shipped, caller);
  };
  try {
    return await ship();
  } catch (error) {
    // Git has refused its own repository: a clean-up of the user's repository has removed objects that it had lent.
    const isOfGit = ProviderError.isInstance(error) && error.exitCode !== undefined;
    if (!isOfGit || signal?.aborted) throw error;
    discardCallerRepository(callerFolder(stateDir, shipped));
    return ship();
  }
}

async function shipFolder(
  options: ShipOptions,
  shipped: ShippedFolder,
  caller: CallerRepository,
): Promise<ShippedWorkspace> {
  const { stateDir, include = [], dir, signal } = options;
  const limits = resolveShipLimits(options.limits);
  const request = { shipped, caller, stateDir, include, limits, signal };
  const { tree, notes } = await snapshotFolder(request);
  const common = {
    format: caller.format,
    dir,
    root: shipped.root,
    prefix: shipped.prefix,
    trustModes: shipped.trustModes,
    notes: [...notes].slice(0, 200),
  };
  const carried =
    options.remote === undefined
      ? await carryByStore(options, { shipped, caller, limits, tree })
      : await carryByRemote(options.remote, { shipped, caller, limits, tree, signal });
  return { ...common, ...carried };
}

interface Cargo {
  readonly shipped: ShippedFolder;
  readonly caller: CallerRepository;
  readonly limits: ResolvedShipLimits;
  readonly tree: string;
}

/** Stores what a worker needs: the last base that the store has and the change since, or a new base. */
async function carryByStore(
  { blobs, lifeMs, signal }: ShipOptions,
  { shipped, caller, limits, tree }: Cargo,
): Promise<Pick<ShippedWorkspace, 'base' | 'snapshot'>> {
  const git = { folder: shipped.root, gitDir: caller.gitDir };
  const known = await findStoredBase(caller.folder, blobs, lifeMs);
  if (known !== undefined) {
    const { commit: parent, list, bytes } = known;
    const base = { commit: parent, pack: { bytes, list } };
    if (known.tree === tree) {
      return { base, snapshot: { commit: parent } };
    }
    const commit = writeCommit(caller.gitDir, tree, parent, COMMIT_SECONDS);
    const change = await packChange(git, commit, parent, signal);
    if (change.length <= Math.max(SMALL_CHANGE_BYTES, bytes * LARGE_PART)) {
      checkShipLimit(limits, 'maxUploadBytes', change.length, shipped.root);
      return { base, snapshot: { commit, pack: await storePack(blobs, change, { lifeMs }) } };
    }
  }
  const commit = writeCommit(caller.gitDir, tree, undefined, COMMIT_SECONDS);
  const whole = await packWhole(git, commit, signal);
  checkShipLimit(limits, 'maxUploadBytes', whole.length, shipped.root);
  const pack = await storePack(blobs, whole, { isShared: true, lifeMs });
  const checked = { checkedAt: Date.now(), ttlMs: packTtl(lifeMs) };
  await rememberBase(caller.folder, { commit, tree, ...pack, ...checked });
  return { base: { commit, pack }, snapshot: { commit } };
}
