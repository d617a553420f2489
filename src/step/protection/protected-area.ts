import { dirname, sep } from 'node:path';
import { realpathOf } from '../../base/fs/paths.js';

interface StepWorkspace {
  readonly workspaceDirs: readonly string[];
}

/** Lists the folders outside of the workspace with protected files of the step. Folders above the workspace are left out. */
export function findOutsideFolders(
  step: StepWorkspace,
  paths: Iterable<string>,
): readonly string[] {
  const folders = [...paths].filter((path) => !isInWorkspace(step, path)).map(dirname);
  return [...new Set(folders)].filter((folder) => {
    return !step.workspaceDirs.some((root) => isBelowFolder(folder, root));
  });
}

/** True if the path lies in the workspace by its name: a link belongs to the folder that holds the link. */
export function isInWorkspace({ workspaceDirs }: StepWorkspace, path: string): boolean {
  const roots = workspaceDirs.flatMap((folder) => [folder, realpathOf(folder)]);
  return roots.some((root) => isBelowFolder(root, path));
}

export function isBelowFolder(folder: string, path: string): boolean {
  return path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}
