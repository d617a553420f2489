import { collectWorktree } from '../../batch/isolation/collect-worktree.js';
import { describeSpecialFiles } from '../../batch/isolation/describe-special-files.js';
import type { CollectOptions } from '../../batch/isolation/isolated-workspace.js';
import { reportFiles } from '../../batch/isolation/report-files.js';
import { writeCommit } from '../../batch/isolation/write-commit.js';
import type { BlobStore } from '../store/blob-store.js';
import { checkShipLimit, type ResolvedShipLimits } from './check-limit.js';
import { push } from './git-remote.js';
import { keepChanges } from './keep-changes.js';
import { packChange } from './make-pack.js';
import { storePack } from './pack-blobs.js';
import type { ShippedChanges, ShippedWorkspace } from './shipped-workspace.js';
import type { AttemptFolder } from './spare-trees.js';

const MOST_NOTES = 200;

export interface OpenedAttempt {
  readonly shipped: ShippedWorkspace;
  readonly blobs: BlobStore;
  readonly signal?: AbortSignal | undefined;
  readonly limits: ResolvedShipLimits;
  /** Time that the result may be in the store. */
  readonly lifeMs?: number | undefined;
  /** Folder for the patch of changes that cannot travel. */
  readonly keptDir: string;
  readonly attempt: AttemptFolder;
  readonly git: { readonly folder: string; readonly gitDir: string };
  readonly treeName: string;
  readonly dir: string;
}

/**
 * Finds the changes of a step in its worktree, and stores them for the caller. If they cannot travel, this machine keeps them as a
 * patch that the error names.
 */
export async function collectShipped(
  opened: OpenedAttempt,
  { extraPaths, files = [] }: CollectOptions,
): Promise<ShippedChanges> {
  const { shipped, signal, attempt, git, treeName, dir, keptDir } = opened;
  const { folder: tree, gitDir } = git;
  const { snapshot, prefix } = shipped;
  const collected = await collectWorktree(
    {
      repository: { top: tree, gitDir, commonDir: gitDir, prefix, trustModes: true },
      stateDir: attempt.folder,
      home: { folder: attempt.folder, tree, stage: '' },
      id: attempt.id,
      base: { commit: snapshot.commit, tree: treeName },
      linked: [],
      submodules: [],
    },
    extraPaths,
  );
  const reported = await reportFiles(tree, [], files);
  const notes = [...collected.notes, ...(await describeSpecialFiles(tree, []))];
  const found = { tree, dir, reported, notes: notes.slice(0, MOST_NOTES) };
  const { theirs } = collected.git;
  if (theirs === treeName) return found;
  const commit = writeCommit(gitDir, theirs, snapshot.commit);
  try {
    return { ...found, commit, ...(await send(opened, commit)) };
  } catch (error) {
    if (signal?.aborted) throw error;
    throw await keepChanges(error, { git, from: treeName, to: theirs, keptDir });
  }
}

/** Sends a commit to the caller, by the git remote or by the store. */
async function send(
  { shipped, blobs, signal, limits, lifeMs, git }: OpenedAttempt,
  commit: string,
): Promise<Pick<ShippedChanges, 'pack'>> {
  const { snapshot, remote, root } = shipped;
  const pack = await packChange(git, commit, snapshot.commit, signal);
  checkShipLimit(limits, 'maxChangesBytes', pack.length, root);
  if (remote === undefined) return { pack: await storePack(blobs, pack, { lifeMs }) };
  await push(git, remote, [commit], signal);
  return {};
}
