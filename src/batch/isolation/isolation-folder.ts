import { mkdirSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { ProviderError } from '../../base/errors/provider-error.js';
import { isInside, realpathOf } from '../../base/fs/paths.js';
import { markedFolderName } from './marked-folder.js';

export interface IsolationFolder {
  /** Our own folder, not there yet. */
  readonly folder: string;
  /** The worktree or the copy in it. It has the name of the original, which some tools take for the project's. */
  readonly tree: string;
  /** Where merges are prepared: on the disk of the original, because files are moved from here into place. */
  readonly stage: string;
}

/** A place outside of the original, on the same disk where possible: in `stateDir`, else where temporary files go. */
export function chooseIsolationFolder(root: string, stateDir: string, id: string): IsolationFolder {
  mkdirSync(stateDir, { recursive: true });
  const parents = [realpathOf(stateDir), realpathOf(tmpdir())].filter((at) => !isInside(root, at));
  const near = parents.find((parent) => isSameDisk(parent, root));
  const parent = near ?? parents[0];
  if (parent === undefined) {
    throw new ProviderError({
      code: 'INVALID_CONFIG',
      message: `there is no place outside of ${root} to isolate a step in`,
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
