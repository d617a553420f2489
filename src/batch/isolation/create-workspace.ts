import { ProviderError } from '../../base/errors/provider-error.js';
import { type MergePlace, StepChangeSet } from './change-set.js';
import { describeSpecialFiles } from './describe-special-files.js';
import { describeDiskError } from './disk-error.js';
import { readStats } from './file-identity.js';
import type { CollectOptions, IsolatedWorkspace, KeepOptions } from './isolated-workspace.js';
import { describeWrittenThrough, type LinkedFolder } from './linked-folders.js';
import { createPathMap, type MappedFolders } from './path-map.js';
import { reportFiles } from './report-files.js';
import { writeSaved } from './saved-changes.js';
import type { StepChanges } from './step-changes.js';

/** Parts in which a worktree and a copy differ. */
export interface WorkspaceParts extends MappedFolders, MergePlace {
  readonly kind: 'worktree' | 'copy';
  readonly workspaceNotes: readonly string[];
  readonly linked: readonly LinkedFolder[];
  readonly find: (
    extraPaths: readonly string[],
  ) => Promise<Pick<StepChanges, 'changes' | 'notes' | 'git' | 'indexFile' | 'texts'>>;
  /** Keeps the changed files in a folder if no patch can be made. */
  readonly keepFiles?:
    | ((extraPaths: readonly string[], folder: string) => Promise<string | undefined>)
    | undefined;
  /** Removes the files of the workspace, and keeps its record. */
  readonly removeFiles: () => Promise<void>;
}

export function createWorkspace(parts: WorkspaceParts): IsolatedWorkspace {
  const { kind, id, stateDir, root, tree, workspaceDir, dir, linked, workspaceNotes } = parts;
  const find = async ({ extraPaths, files = [] }: CollectOptions): Promise<StepChanges> => {
    if (!readStats(tree)?.isDirectory()) {
      throw new ProviderError({
        code: 'INVALID_INPUT',
        message: `The ${kind} of ${root} no longer exists: the step or another program has removed it`,
        hint: 'Run the step again.',
      });
    }
    const found = await parts.find(extraPaths);
    const notes = [
      ...found.notes,
      ...(await describeSpecialFiles(tree, linked)),
      ...(await describeWrittenThrough(linked)),
    ];
    const reported = await reportFiles(tree, linked, files);
    const folders = { kind, root, tree, workspaceDir, dir, files: tree };
    return { ...folders, ...found, workspaceNotes, notes, reported };
  };
  const keep = async (options: KeepOptions): Promise<string | undefined> => {
    const { extraPaths, patchFile } = options;
    try {
      return await new StepChangeSet(await find(options), parts).keepPatch(patchFile);
    } catch (error) {
      if (parts.keepFiles === undefined || !readStats(tree)?.isDirectory()) throw error;
      return parts.keepFiles(extraPaths, patchFile);
    }
  };
  const describe = (what: string) => (error: unknown) => {
    throw describeDiskError(error, what);
  };
  const keepOrExplain = (options: KeepOptions): Promise<string | undefined> =>
    keep(options).catch(describe('Cannot keep the changes of the step'));
  const dispose = async (): Promise<void> => {
    await parts.remove();
  };
  return {
    kind,
    isRemote: false,
    dir,
    folders: { root, tree, workspaceDir, dir },
    notes: workspaceNotes,
    ...createPathMap(parts),
    collectChanges: (options) =>
      find(options)
        .then((changes) => new StepChangeSet(changes, parts))
        .catch(describe('Cannot merge the changes of the step')),
    saveChanges: async (options) => {
      const saved = await find(options)
        .then((changes) => writeSaved(stateDir, id, changes))
        .catch(describe('Cannot save the changes of the step'));
      return new StepChangeSet(saved, parts, id);
    },
    removeFiles: parts.removeFiles,
    keepPatch: keepOrExplain,
    abandon: (options) => keepOrExplain(options).finally(() => dispose().catch(() => {})),
    dispose,
  };
}
