import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { readIfThere } from '../../base/fs/read-if-there.js';
import { statIfThere } from '../../base/fs/stats.js';
import { isObject } from '../../base/json/is-object.js';
import type { Environment } from '../../base/process/environment.js';
import { invalidConfig } from '../../config/config-problem.js';

/** Name of the files, and key in package.json. */
export const CONFIG_NAME = 'gemini-cli-provider';
const ENDINGS = ['.yaml', '.yml', '.json'];
const PACKAGE_FILE = 'package.json';

export interface FoundConfigFile {
  readonly path: string;
  /** Folder that the settings are for. Relative paths in the file start here. */
  readonly root: string;
  /** True if the settings are the value of a key in package.json. */
  readonly isPackage: boolean;
}

/** Returns the user's own config file: `~/.config/gemini-cli-provider.yaml`, or the same below XDG_CONFIG_HOME. */
export function findUserConfig(env: Environment): FoundConfigFile | undefined {
  const home = env['HOME'] ?? homedir();
  const folder = env['XDG_CONFIG_HOME'] || join(home, '.config');
  return chooseOne(listNames(folder), home);
}

/**
 * Finds the config file of a project: in the folder, or in the nearest folder above it that has one, up to the root of
 * the git repository. Outside of a repository only the folder itself is searched, because every user may
 * write to a folder above it, such as /tmp. Throws INVALID_CONFIG if a folder has two.
 */
export function findProjectConfig(start: string): FoundConfigFile | undefined {
  for (const folder of listFolders(start)) {
    const found = chooseOne(
      [...listNames(folder), ...listNames(join(folder, '.config')), ...listPackage(folder)],
      folder,
    );
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Lists the folder and those above it up to the root of its repository; the folder alone outside of a repository. */
function listFolders(start: string): string[] {
  const folders: string[] = [];
  for (let folder = start; ; folder = dirname(folder)) {
    folders.push(folder);
    if (statIfThere(join(folder, '.git')) !== undefined) return folders;
    if (dirname(folder) === folder) return [start];
  }
}

function listNames(folder: string): string[] {
  return ENDINGS.map((ending) => join(folder, `${CONFIG_NAME}${ending}`)).filter(
    (path) => statIfThere(path) !== undefined,
  );
}

/** Lists package.json if it has the key. A package.json that cannot be read has none: it is no file of this package. */
function listPackage(folder: string): string[] {
  const path = join(folder, PACKAGE_FILE);
  if (statIfThere(path)?.isFile() !== true) return [];
  try {
    const manifest: unknown = JSON.parse(readIfThere(path) ?? '{}');
    return isObject(manifest) && manifest[CONFIG_NAME] !== undefined ? [path] : [];
  } catch {
    return [];
  }
}

function chooseOne(paths: readonly string[], root: string): FoundConfigFile | undefined {
  const [path, second] = paths;
  if (path === undefined) return undefined;
  if (second !== undefined) {
    const problem = `is a second config file of the same folder: ${path} is there, too. Keep one of them`;
    throw invalidConfig([{ key: 'config', value: second, problem }]);
  }
  return { path, root, isPackage: path === join(root, PACKAGE_FILE) };
}
