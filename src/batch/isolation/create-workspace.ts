import { posix, relative } from 'node:path';
import type { Isolation } from '../../api/batch-plan.js';
import { ProviderError } from '../../base/errors/provider-error.js';
import { toSlashes } from '../../base/fs/paths.js';
import { type BytePath, describePath } from './byte-path.js';
import { describeDiskError } from './disk-error.js';
import { readFileIdentity } from './file-identity.js';
import type { IsolatedWorkspace, MergeOptions, MergeOutcome } from './isolated-workspace.js';
import { describeWrittenThrough, type LinkedFolder } from './linked-folders.js';
import type { PathOutcome } from './merge-stage.js';
import { createPathMap, type MappedFolders } from './path-map.js';
import { treeLock } from './read-write-lock.js';

/** What differs between a worktree and a copy. */
export interface WorkspaceParts<Changes> extends MappedFolders {
  readonly kind: Isolation;
  readonly id: string;
  readonly notes: readonly string[];
  readonly linked: readonly LinkedFolder[];
  readonly find: (extraPaths: readonly string[]) => Promise<Changes>;
  readonly describe?: ((changes: Changes) => readonly string[]) | undefined;
  /** All of it or nothing. Nobody else of us reads or writes the original meanwhile. */
  readonly merge: (changes: Changes) => Promise<PathOutcome>;
  readonly keep: (changes: Changes, patchFile: string) => Promise<string | undefined>;
  /** From now on it is not taken back. */
  readonly settle: () => void;
  readonly remove: () => Promise<unknown>;
}

export function createWorkspace<Changes>(parts: WorkspaceParts<Changes>): IsolatedWorkspace {
  const { kind, id, root, tree, dir, notes, linked } = parts;
  const prefix = toSlashes(relative(tree, dir));
  const toText = (path: BytePath): string => posix.relative(prefix, describePath(path));
  const find = async (extraPaths: readonly string[]): Promise<Changes> => {
    if (readFileIdentity(tree)?.isDirectory()) return parts.find(extraPaths);
    throw new ProviderError({
      code: 'INVALID_INPUT',
      message: `the ${kind} of ${root} has gone: the step or somebody else has removed it`,
      hint: 'Run the step again.',
    });
  };
  const merge = async ({ extraPaths, patchFile }: MergeOptions): Promise<MergeOutcome> => {
    const changes = await find(extraPaths);
    const said = [...(parts.describe?.(changes) ?? []), ...(await describeWrittenThrough(linked))];
    const outcome = await treeLock.exclusive(() => parts.merge(changes));
    if ('paths' in outcome) return { merged: true, paths: outcome.paths.map(toText), notes: said };
    await parts.keep(changes, patchFile);
    const conflicts = outcome.conflicts.map(({ path, reason }) => ({ path: toText(path), reason }));
    return { merged: false, conflicts, patchFile, notes: said };
  };
  const keep = async ({ extraPaths, patchFile }: MergeOptions): Promise<string | undefined> => {
    return parts.keep(await find(extraPaths), patchFile);
  };
  return {
    kind,
    id,
    dir,
    notes,
    ...createPathMap(parts),
    mergeBack: (options) => merge(options).catch(rethrow),
    keepMerge: parts.settle,
    keepPatch: (options) => keep(options).catch(rethrow),
    dispose: async () => {
      await parts.remove();
    },
  };
}

function rethrow(error: unknown): never {
  throw describeDiskError(error, 'the changes of the step could not be brought back');
}
