import { collectWorktree } from '../../batch/isolation/collect-worktree.js';
import { describeSpecialFiles } from '../../batch/isolation/describe-special-files.js';
import type { CollectOptions } from '../../batch/isolation/isolated-workspace.js';
import { reportFiles } from '../../batch/isolation/report-files.js';
import { writeCommit } from '../../batch/isolation/write-commit.js';
import type { BlobStore } from '../store/blob-store.js';
import { checkShipLimit, type ResolvedShipLimits } from './check-limit.js';
import { push } from './git-remote.js';
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
  readonly attempt: AttemptFolder;
  readonly git: { readonly folder: string; readonly gitDir: string };
  readonly treeName: string;
  readonly dir: string;
}

/** Finds the changes of a step in its worktree, and stores them for the caller. */
export async function collectShipped(
  { shipped, blobs, signal, limits, attempt, git, treeName, dir }: OpenedAttempt,
  { extraPaths, files = [] }: CollectOptions,
): Promise<ShippedChanges> {
  const { folder: tree, gitDir } = git;
  const { snapshot, prefix, remote } = shipped;
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
  if (remote !== undefined) {
    await push(git, remote, [commit], signal);
    return { ...found, commit };
  }
  const pack = await packChange(git, commit, snapshot.commit, signal);
  checkShipLimit(limits, 'maxChangesBytes', pack.length, shipped.root);
  return { ...found, commit, pack: await storePack(blobs, pack) };
}
