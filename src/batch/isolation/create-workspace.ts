import { posix, relative } from 'node:path';
import type { Isolation } from '../../api/batch-plan.js';
import { ProviderError } from '../../base/errors/provider-error.js';
import { toSlashes } from '../../base/fs/paths.js';
import { type BytePath, describePath } from './byte-path.js';
import { compareMerged } from './compare-merged.js';
import { describeSpecialFiles } from './describe-special-files.js';
import { describeDiskError } from './disk-error.js';
import { readStats } from './file-identity.js';
import type { IsolatedWorkspace, MergeOptions, MergeOutcome } from './isolated-workspace.js';
import { describeWrittenThrough, type LinkedFolder } from './linked-folders.js';
import { type MergedPaths, NOTHING_TO_MERGE, type PathOutcome } from './merge-stage.js';
import { createPathMap, type MappedFolders } from './path-map.js';
import { treeLock } from './read-write-lock.js';

/** Parts in which a worktree and a copy differ. */
export interface WorkspaceParts<Changes> extends MappedFolders {
  readonly kind: Isolation;
  readonly id: string;
  readonly notes: readonly string[];
  readonly linked: readonly LinkedFolder[];
  readonly find: (extraPaths: readonly string[]) => Promise<Changes>;
  readonly describe?: ((changes: Changes) => readonly string[]) | undefined;
  /** Merges all changes or none. Runs under the lock, so that no other workspace of this process uses the original. */
  readonly merge: (changes: Changes) => Promise<PathOutcome>;
  readonly keep: (changes: Changes, patchFile: string) => Promise<string | undefined>;
  /** Keeps the changed files in a folder if no patch can be made. */
  readonly keepFiles?:
    | ((extraPaths: readonly string[], folder: string) => Promise<string | undefined>)
    | undefined;
  /** Makes the merge permanent: it is not reverted any more. */
  readonly keepMerge: () => void;
  readonly remove: () => Promise<unknown>;
}

export function createWorkspace<Changes>(parts: WorkspaceParts<Changes>): IsolatedWorkspace {
  const { kind, id, root, tree, dir, notes, linked } = parts;
  const prefix = toSlashes(relative(tree, dir));
  const toText = (path: BytePath): string => posix.relative(prefix, describePath(path));
  const find = async (extraPaths: readonly string[]): Promise<Changes> => {
    if (readStats(tree)?.isDirectory()) return parts.find(extraPaths);
    throw new ProviderError({
      code: 'INVALID_INPUT',
      message: `The ${kind} of ${root} no longer exists: the step or another program has removed it`,
      hint: 'Run the step again.',
    });
  };
  const pathMap = createPathMap(parts);
  let merged: MergedPaths = NOTHING_TO_MERGE;
  const merge = async ({ extraPaths, patchFile }: MergeOptions): Promise<MergeOutcome> => {
    const changes = await find(extraPaths);
    const mergeNotes = [
      ...(parts.describe?.(changes) ?? []),
      ...(await describeSpecialFiles(tree, linked)),
      ...(await describeWrittenThrough(linked)),
    ];
    const outcome = await treeLock.exclusive(() => parts.merge(changes));
    if ('paths' in outcome) {
      merged = outcome;
      return { merged: true, paths: outcome.paths.map(toText), notes: mergeNotes };
    }
    await parts.keep(changes, patchFile);
    const conflicts = outcome.conflicts.map(({ path, reason }) => ({ path: toText(path), reason }));
    return { merged: false, conflicts, patchFile, notes: mergeNotes };
  };
  const keep = async ({ extraPaths, patchFile }: MergeOptions): Promise<string | undefined> => {
    try {
      return await parts.keep(await find(extraPaths), patchFile);
    } catch (error) {
      if (parts.keepFiles === undefined || !readStats(tree)?.isDirectory()) throw error;
      return parts.keepFiles(extraPaths, patchFile);
    }
  };
  return {
    kind,
    id,
    dir,
    notes,
    ...pathMap,
    mergeBack: (options) => merge(options).catch(rethrow),
    compareMerged: (path) => compareMerged({ ...parts, ...pathMap }, merged, path),
    keepMerge: parts.keepMerge,
    keepPatch: (options) => keep(options).catch(rethrow),
    dispose: async () => {
      await parts.remove();
    },
  };
}

function rethrow(error: unknown): never {
  throw describeDiskError(error, 'Cannot merge the changes of the step');
}
