import { isAbsolute, resolve } from 'node:path';
import type { ConfigProblem } from '../api/error.js';
import { findRemoteMounts } from '../base/fs/mounts.js';
import { statIfThere } from '../base/fs/stats.js';
import type { ResolvedConfig } from './resolve-config.js';

type Directories = Pick<ResolvedConfig, 'workingDir' | 'includeDirectories'>;

/**
 * Finds missing directories before a step. Relative ones are skipped as long as the working directory is not known. Those on
 * remote file systems are left to the step, which can wait for an answer: here a dead server would stop the process.
 */
export function findMissingFixedDirectories(config: Directories): ConfigProblem[] {
  const base = config.workingDir === undefined ? undefined : resolve(config.workingDir);
  const problems: ConfigProblem[] = [];
  if (base !== undefined) problems.push(...checkLocalDirectory('workingDir', base));
  for (const [index, directory] of config.includeDirectories.entries()) {
    const path = isAbsolute(directory) ? directory : base && resolve(base, directory);
    // The schema reports a comma in the path as it was given.
    if (path === undefined || directory.includes(',')) continue;
    problems.push(...checkLocalDirectory(nameOf(config.includeDirectories, index), path));
  }
  return problems;
}

/** Finds missing directories of a step. Relative ones are resolved from its working directory. */
export function findMissingDirectories(config: Directories, workingDir: string): ConfigProblem[] {
  const { includeDirectories } = config;
  return includeDirectories.flatMap((directory, index) =>
    checkDirectory(nameOf(includeDirectories, index), resolve(workingDir, directory)),
  );
}

/** Returns the key of an entry. A single entry may have been written without a list, so it has no index. */
function nameOf(list: readonly string[], index: number): string {
  return list.length === 1 ? 'includeDirectories' : `includeDirectories.${index}`;
}

function checkLocalDirectory(key: string, path: string): ConfigProblem[] {
  return findRemoteMounts([path]).length > 0 ? [] : checkDirectory(key, path);
}

function checkDirectory(key: string, path: string): ConfigProblem[] {
  const stats = statIfThere(path);
  // The schema checks the given path only: a relative path may get a comma from the working directory.
  if (stats?.isDirectory() && key !== 'workingDir' && path.includes(',')) {
    return [
      { key, value: path, problem: 'must not contain a comma: the CLI splits the list on it' },
    ];
  }
  if (stats?.isDirectory()) return [];
  const problem = stats === undefined ? 'does not exist' : 'is not a directory';
  return [{ key, value: path, problem }];
}
