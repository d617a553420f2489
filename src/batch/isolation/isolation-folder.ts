import { mkdirSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { ProviderError } from '../../base/errors/provider-error.js';
import { isInside, realpathOf } from '../../base/fs/paths.js';
import { markedFolderName } from './marked-folder.js';

export interface IsolationFolder {
  /** Marked folder of the workspace, not created yet. */
  readonly folder: string;
  /** Worktree or copy in the folder. It has the name of the original, because some tools use it as the project name. */
  readonly tree: string;
  /**
   * Staging folder of merges. It is on the disk of the original, because files are renamed from here to their targets.
   */
  readonly stage: string;
}

/** Chooses a folder outside of the original, in `stateDir` or else in TMPDIR, and on the same disk if possible. */
export function chooseIsolationFolder(root: string, stateDir: string, id: string): IsolationFolder {
  mkdirSync(stateDir, { recursive: true });
  const parents = [realpathOf(stateDir), realpathOf(tmpdir())].filter((at) => !isInside(root, at));
  const near = parents.find((parent) => isSameDisk(parent, root));
  const parent = near ?? parents[0];
  if (parent === undefined) {
    throw new ProviderError({
      code: 'INVALID_CONFIG',
      message: `Cannot isolate a step: both the state folder and TMPDIR are inside ${root}`,
      hint: 'Set TMPDIR to a folder outside of the working directory.',
    });
  }
  const folder = join(parent, markedFolderName(id));
  return {
    folder,
    tree: join(folder, 'tree', basename(root) || 'root'),
    stage: join(near === undefined ? root : folder, markedFolderName(id)),
  };
}

function isSameDisk(a: string, b: string): boolean {
  return statSync(a).dev === statSync(b).dev;
}
