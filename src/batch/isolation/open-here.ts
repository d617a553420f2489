import type { IsolatedWorkspace, IsolationOptions } from './isolated-workspace.js';
import { openCopy } from './open-copy.js';
import { openWorktree } from './open-worktree.js';

/** Opens a worktree or a copy in this process. */
export function openHere(options: IsolationOptions): Promise<IsolatedWorkspace> {
  return options.kind === 'copy' ? openCopy(options) : openWorktree(options);
}
