import { resolve } from 'node:path';
import { findRepository, readIgnoreRules } from '../../base/fs/ignore-rules.js';
import { listFiles } from '../../base/fs/list-files.js';
import { hasUnreadableName } from '../../base/fs/unreadable-name.js';
import type { WorkspaceChange } from './workspace-change.js';

const IGNORE_FILES = ['.gitignore', '.geminiignore'];

export interface WorkspaceListing {
  readonly paths: readonly string[];
  /** Paths that exist but cannot be read. */
  readonly obstacles: readonly WorkspaceChange[];
}

/** Lists the files of a folder. Ignore rules are read from `rulesFrom` down, also if repositories were added since. */
export async function listWorkspace(
  root: string,
  rulesFrom: string,
  signal?: AbortSignal,
): Promise<WorkspaceListing> {
  const obstacles: WorkspaceChange[] = [];
  const onClosedFolder = (path: string): void => {
    const obstacle = hasUnreadableName(path) ? 'name' : 'access';
    obstacles.push({ path, before: undefined, obstacle });
  };
  const paths: string[] = [];
  for (const path of await listFiles(root, IGNORE_FILES, { rulesFrom, onClosedFolder, signal })) {
    if (hasUnreadableName(path)) obstacles.push({ path, before: undefined, obstacle: 'name' });
    else paths.push(path);
  }
  return { paths, obstacles };
}

/** Returns the repository around a folder, or the folder itself if there is no repository or it ignores the folder. */
export function findRulesFolder(root: string): string {
  const repository = findRepository(root);
  if (repository === undefined || repository === resolve(root)) return root;
  return readIgnoreRules(root, IGNORE_FILES, repository).ignores(root, true) ? root : repository;
}
