import { existsSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { ManifestFile } from '../../api/manifest.js';
import { ProviderError } from '../../base/errors/provider-error.js';
import { realpathOf } from '../../base/fs/paths.js';
import { statIfThere } from '../../base/fs/stats.js';
import { onDisk } from '../../batch/isolation/byte-path.js';
import { StepChangeSet } from '../../batch/isolation/change-set.js';
import { describeDiskError } from '../../batch/isolation/disk-error.js';
import { gitOutput, settleAll } from '../../batch/isolation/git-output.js';
import {
  chooseIsolationFolder,
  type IsolationFolder,
} from '../../batch/isolation/isolation-folder.js';
import { createId, writeRecord } from '../../batch/isolation/isolation-record.js';
import { openHome } from '../../batch/isolation/merge-stage.js';
import { removeIsolation } from '../../batch/isolation/remove-isolation.js';
import { removeLeftovers } from '../../batch/isolation/remove-leftovers.js';
import type { StepChanges } from '../../batch/isolation/step-changes.js';
import type { AttemptResult } from '../../batch/ledger/ledger-entry.js';
import { openStateKey } from '../../batch/state/state-key.js';
import type { ShipLimits } from '../ship-limits.js';
import type { BlobStore } from '../store/blob-store.js';
import { callerFolder, findShippedFolder } from './caller-repository.js';
import { checkShipLimit, type ResolvedShipLimits, resolveShipLimits } from './check-limit.js';
import { checkOutReturned, checkReturned, type ReturnedChange } from './check-returned.js';
import { createGitFolder } from './git-folder.js';
import { fetchCommit } from './git-remote.js';
import { packChange, unpack } from './make-pack.js';
import { type MergedChanges, mergeReturned } from './merge-returned.js';
import { readPack } from './pack-blobs.js';
import { assertCommit, findTree } from './read-commit.js';
import {
  parseShippedChanges,
  parseShippedWorkspace,
  type ShippedChanges,
  type ShippedWorkspace,
} from './shipped-workspace.js';

export interface ApplyShippedOptions {
  /** Working directory of the step, as it was shipped. */
  readonly dir: string;
  readonly blobs: BlobStore;
  readonly stateDir: string;
  /** File for the patch if the changes cannot be applied. */
  readonly keptPatch: string;
  /** Result of the step, with the manifest as the worker reports it. */
  readonly result: AttemptResult;
  readonly limits?: ShipLimits | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface AppliedChanges extends MergedChanges {
  /** Manifest with the paths and contents in the caller's folder. */
  readonly files: readonly ManifestFile[];
}

/**
 * Applies the changes of a step that ran on a worker to the caller's folder: all of them or none. A folder that has changed
 * meanwhile is merged; if that is not possible, the error EXPECTATION_FAILED names the paths and the kept patch.
 */
export async function applyShipped(
  givenWorkspace: ShippedWorkspace,
  givenChanges: ShippedChanges,
  options: ApplyShippedOptions,
): Promise<AppliedChanges> {
  const shipped = parseShippedWorkspace(givenWorkspace);
  const changes = parseShippedChanges(givenChanges);
  if (shipped === undefined || changes === undefined) throw notReturned();
  const { stateDir } = options;
  const root = findRoot(options.dir, shipped.prefix);
  const id = createId();
  mkdirSync(stateDir, { recursive: true, mode: 0o700 });
  openStateKey(stateDir);
  // A caller that was killed in the middle of a merge: the merge is undone before the next one.
  await removeLeftovers(stateDir, { workingDirs: [root] });
  const home = chooseIsolationFolder(root, stateDir, id);
  const record = {
    id,
    kind: 'copy',
    root,
    home: home.folder,
    tree: home.tree,
    stage: home.stage,
  } as const;
  try {
    writeRecord(stateDir, record);
    openHome(home, id);
    const received = await receive({ shipped, changes, options, home, root });
    const place = { id, stateDir, home, remove: () => removeIsolation(stateDir, record) };
    return await mergeReturned(new StepChangeSet(received, place), options);
  } catch (error) {
    throw describeDiskError(error, `Cannot apply the changes of the step to ${root}`);
  } finally {
    await removeIsolation(stateDir, record);
  }
}

/** Tree of the changes, and what differs from the tree that was shipped. */
interface ReturnedCommit {
  readonly theirs: string;
  readonly returned: readonly ReturnedChange[];
}

interface Receipt {
  readonly shipped: ShippedWorkspace;
  readonly changes: ShippedChanges;
  readonly options: ApplyShippedOptions;
  readonly home: IsolationFolder;
  readonly root: string;
}

/** Takes the objects of the changes into a repository of their own, checks them, and writes the changed files. */
async function receive(receipt: Receipt): Promise<StepChanges> {
  const { shipped, changes, options, home, root } = receipt;
  const { signal } = options;
  const limits = resolveShipLimits(options.limits);
  const gitDir = join(home.folder, 'git');
  const git = { folder: root, gitDir, indexFile: join(home.folder, 'index.original') };
  const tree = await openObjects(receipt, git, limits);
  const files = join(home.folder, 'files');
  mkdirSync(files);
  const takeChanges = async (commit: string): Promise<ReturnedCommit> => {
    await receiveCommit(receipt, git, limits);
    const [theirs, returned] = await settleAll([
      assertCommit(git, commit, signal),
      checkReturned(git, { tree, theirs: commit, limits, subject: root }),
    ]);
    const indexFile = join(home.folder, 'index.files');
    await checkOutReturned({ ...git, folder: files, indexFile }, theirs, returned);
    return { theirs, returned };
  };
  const { commit } = changes;
  const [{ theirs, returned }] = await settleAll([
    commit === undefined ? { theirs: tree, returned: [] } : takeChanges(commit),
    commit === undefined ? undefined : gitOutput(git, ['read-tree', tree], { signal }),
  ]);
  const { prefix, snapshot, trustModes, notes: workspaceNotes } = shipped;
  return {
    kind: 'worktree',
    root,
    tree: changes.tree,
    workspaceDir: resolve(options.dir),
    dir: changes.dir,
    files,
    workspaceNotes,
    notes: changes.notes,
    reported: changes.reported,
    changes: returned.map(({ path, before, isRemoved }) => {
      return { path, before, source: isRemoved ? undefined : onDisk(files, path) };
    }),
    git: {
      gitDir,
      commonDir: gitDir,
      prefix,
      trustModes,
      commit: snapshot.commit,
      tree,
      theirs,
      submodules: [],
    },
    indexFile: git.indexFile,
  };
}

/** Opens a repository that reads the objects of the shipped state, from the caller's disk or else from the store. */
async function openObjects(
  { shipped, options, root }: Receipt,
  git: { readonly folder: string; readonly gitDir: string },
  limits: ResolvedShipLimits,
): Promise<string> {
  const { stateDir, blobs, dir, signal } = options;
  const { base, snapshot, format, remote } = shipped;
  const folder = callerFolder(stateDir, await findShippedFolder(dir, signal));
  const objects = join(folder, 'git', 'objects');
  const alternates = existsSync(objects) ? [objects] : [];
  const trustModes = shipped.trustModes;
  createGitFolder(git.gitDir, { format, alternates, trustModes, isUserIgnoring: true });
  const known = await findTree(git, snapshot.commit, signal);
  if (known !== undefined) return known;
  for (const { commit, pack } of [base, snapshot]) {
    if (remote !== undefined) await fetchCommit(git, remote, commit, signal);
    else if (pack !== undefined) {
      const bytes = await readPack(blobs, pack, { limits, name: 'maxUploadBytes', subject: root });
      await unpack({ ...git, folder: root }, bytes, { mostBytes: limits.maxUploadBytes, signal });
    }
  }
  return assertCommit(git, snapshot.commit, signal);
}

/** Takes the objects of the changes from the store or from the git remote. */
async function receiveCommit(
  { shipped, changes, options, root: subject }: Receipt,
  git: { readonly folder: string; readonly gitDir: string },
  limits: ResolvedShipLimits,
): Promise<void> {
  const { commit = '', pack } = changes;
  const { blobs, signal } = options;
  if (shipped.remote !== undefined) {
    await fetchCommit(git, shipped.remote, commit, signal);
    const { length } = await packChange(git, commit, shipped.snapshot.commit, signal);
    checkShipLimit(limits, 'maxChangesBytes', length, subject);
  } else if (pack !== undefined) {
    const bytes = await readPack(blobs, pack, { limits, name: 'maxChangesBytes', subject });
    await unpack(git, bytes, { mostBytes: limits.maxChangesBytes, signal });
  }
}

/** Returns the top of the tree that a working directory belongs to. */
function findRoot(dir: string, prefix: string): string {
  if (!statIfThere(dir)?.isDirectory())
    throw new ProviderError({
      code: 'INVALID_INPUT',
      message: `The folder ${dir} for the changes of the step does not exist`,
      hint: 'Create the folder with the files that the step was started with, or name another one.',
    });
  const real = realpathOf(resolve(dir));
  const root = prefix === '' ? real : resolve(real, ...prefix.split('/').map(() => '..'));
  if (join(root, prefix) === real) return root;
  throw new ProviderError({
    code: 'INVALID_INPUT',
    message: `Working directory ${dir} is not the folder ${prefix} that was shipped`,
    hint: 'Apply the changes to the folder that the step was started for.',
  });
}

function notReturned(): ProviderError {
  return new ProviderError({
    code: 'INVALID_INPUT',
    message:
      'The changes of the worker are damaged, or were made by another version of this package',
    hint: 'Use the same version of gemini-cli-provider on both sides of the queue.',
  });
}
