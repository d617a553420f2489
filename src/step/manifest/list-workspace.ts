import { resolve } from 'node:path';
import { findRepository, readIgnoreRules } from '../../base/fs/ignore-rules.js';
import { listFiles } from '../../base/fs/list-files.js';
import { hasUnreadableName } from '../../base/fs/unreadable-name.js';
import type { WorkspaceChange } from './workspace-change.js';

const IGNORE_FILES = ['.gitignore', '.geminiignore'];

export interface WorkspaceListing {
  readonly paths: readonly string[];
  /** What is there and cannot be looked at. */
  readonly obstacles: readonly WorkspaceChange[];
}

/** The files of a folder. The rules from above are always those of the same folder, whatever becomes of it. */
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

/** The repository around a folder; the folder itself where there is none, or where that one ignores it. */
export function findRulesFolder(root: string): string {
  const repository = findRepository(root);
  if (repository === undefined || repository === resolve(root)) return root;
  return readIgnoreRules(root, IGNORE_FILES, repository).ignores(root, true) ? root : repository;
}
