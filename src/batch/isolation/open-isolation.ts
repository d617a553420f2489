import { resolve } from 'node:path';
import { ProviderError } from '../../base/errors/provider-error.js';
import { statIfThere } from '../../base/fs/stats.js';
import { assertReachable } from '../../step/reachable-folders.js';
import { cancelled } from './git-output.js';
import type { IsolatedWorkspace, IsolationOptions } from './isolated-workspace.js';
import { openHere } from './open-here.js';
import { RemoteIsolation } from './remote/remote-isolation.js';

/** Opens the workspace for one attempt of a step. */
export async function openIsolation(options: IsolationOptions): Promise<IsolatedWorkspace> {
  if (options.signal?.aborted) throw cancelled();
  // The file system may have stopped answering since the batch was opened.
  await assertReachable([options.workspaceDir], { signal: options.signal });
  if (!statIfThere(options.workspaceDir)?.isDirectory()) {
    throw new ProviderError({
      code: 'INVALID_INPUT',
      message: `The working directory ${options.workspaceDir} is not a folder`,
    });
  }
  const resolved = {
    ...options,
    workspaceDir: resolve(options.workspaceDir),
    stateDir: resolve(options.stateDir),
  };
  if (options.kind === 'shared') return openShared(resolved);
  return RemoteIsolation.for(resolved.workspaceDir)?.open(resolved) ?? openHere(resolved);
}

/** Returns the folder itself as workspace: there is nothing to save or to merge. */
function openShared({ workspaceDir: dir }: IsolationOptions): IsolatedWorkspace {
  return {
    kind: 'shared',
    isRemote: false,
    dir,
    folders: { root: dir, tree: dir, workspaceDir: dir, dir },
    notes: [],
    toIsolated: (path) => resolve(dir, path),
    toOriginal: (path) => resolve(dir, path),
    collectChanges: refuseChanges,
    saveChanges: refuseChanges,
    removeFiles: async () => {},
    keepPatch: async () => undefined,
    abandon: async () => undefined,
    dispose: async () => {},
  };
}

async function refuseChanges(): Promise<never> {
  throw new Error('A step in the working directory itself has nothing to merge');
}
