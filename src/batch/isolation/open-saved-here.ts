import type { Isolation } from '../../api/batch-plan.js';
import { realpathOf } from '../../base/fs/paths.js';
import { askGit } from '../../base/git/run-git.js';
import { StepChangeSet } from './change-set.js';
import { chooseIsolationFolder } from './isolation-folder.js';
import { createId, writeRecord } from './isolation-record.js';
import { openRepository } from './open-repository.js';
import { removeIsolation } from './remove-isolation.js';
import { readSaved } from './saved-changes.js';
import type { GitBase, StepChanges } from './step-changes.js';

export interface SavedRequest {
  readonly stateDir: string;
  /** Id of the saved changes, from the ledger. */
  readonly id: string;
  /** Working directory and isolation of the step in the plan of this run. */
  readonly workspaceDir: string;
  readonly kind: Isolation;
}

/**
 * Opens changes that an earlier run has saved, for their merge in this process. Returns undefined if they are missing or damaged, or
 * belong to another folder than the step. The merge gets a workspace id of its own: the process that saved the changes
 * may be alive, and its clean-up must not find the new merge.
 */
export async function openSavedHere(request: SavedRequest): Promise<StepChangeSet | undefined> {
  const { stateDir, id: savedId, workspaceDir, kind } = request;
  const changes = await readSaved(stateDir, savedId);
  if (changes?.kind !== kind || changes.workspaceDir !== workspaceDir) return undefined;
  if (!(await isSameRoot(changes))) return undefined;
  const { root, git } = changes;
  const id = createId();
  const home = chooseIsolationFolder(root, stateDir, id);
  const { folder, tree, stage } = home;
  const { commonDir } = git ?? {};
  const record = { id, kind, root, home: folder, tree, stage, commonDir };
  writeRecord(stateDir, record);
  const remove = () => removeIsolation(stateDir, record);
  return new StepChangeSet(changes, { id, stateDir, home, remove }, savedId);
}

/** True if the changes are merged into the folder that this package would choose for the step now. */
async function isSameRoot({ root, workspaceDir, git }: StepChanges): Promise<boolean> {
  if (git === undefined) return realpathOf(workspaceDir) === root;
  const now = await openRepository(workspaceDir).catch(() => undefined);
  const isSame = now?.top === root && now.gitDir === git.gitDir && now.commonDir === git.commonDir;
  return isSame && hasObjects(root, git);
}

/** True if the repository still has the trees of a three-way merge. A clean-up of the user may have removed them. */
async function hasObjects(folder: string, { gitDir, commit, theirs }: GitBase): Promise<boolean> {
  const stdin = Buffer.from(`${commit}\n${theirs}\n`);
  const { exitCode, stdout } = await askGit({ folder, gitDir }, ['cat-file', '--batch-check'], {
    stdin,
  });
  return exitCode === 0 && !/ missing$/m.test(stdout.toString());
}
