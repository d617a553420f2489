import { resolve } from 'node:path';
import { escapePath, glob, isDynamicPattern } from 'tinyglobby';
import { statIfThere } from '../../base/fs/stats.js';

/** Folders that the search skips unless a glob names them. */
const SKIPPED = ['node_modules', '.git'] as const;

/** Finds files by globs. Searches once for each pair of folder and patterns, and does not follow symbolic links. */
export interface FileFinder {
  /** Returns sorted paths relative to the folder, with forward slashes. */
  match(folder: string, pattern: string): Promise<readonly string[]>;
  /** Returns sorted absolute paths. A path without a glob is an input even if the file does not exist yet. */
  inputs(folder: string, patterns: readonly string[]): Promise<readonly string[]>;
}

export function createFileFinder(): FileFinder {
  const matches = new Map<string, Promise<readonly string[]>>();
  const inputs = new Map<string, Promise<readonly string[]>>();
  return {
    match: (folder, pattern) =>
      once(matches, JSON.stringify([folder, pattern]), () => findMatches(folder, pattern)),
    inputs: (folder, patterns) =>
      once(inputs, JSON.stringify([folder, patterns]), () => findInputs(folder, patterns)),
  };
}

function once<T>(known: Map<string, T>, key: string, find: () => T): T {
  const result = known.get(key) ?? find();
  known.set(key, result);
  return result;
}

async function findMatches(folder: string, pattern: string): Promise<readonly string[]> {
  if (isDynamicPattern(pattern)) return search(folder, [pattern]);
  const path = withoutEscapes(pattern);
  return statIfThere(resolve(folder, path))?.isFile() ? [path] : [];
}

async function findInputs(folder: string, patterns: readonly string[]): Promise<readonly string[]> {
  const found = new Set<string>();
  const globs: string[] = [];
  // Plain paths are not searched for: searching the folder once per path would take quadratic time.
  for (const pattern of patterns) {
    if (isDynamicPattern(pattern)) globs.push(pattern);
    else {
      const path = resolve(folder, withoutEscapes(pattern));
      if (statIfThere(path)?.isDirectory()) globs.push(`${escapePath(path)}/**`);
      else found.add(path);
    }
  }
  if (globs.length > 0) {
    for (const path of await search(folder, globs)) found.add(resolve(folder, path));
  }
  return [...found].sort();
}

async function search(folder: string, patterns: readonly string[]): Promise<readonly string[]> {
  const skipped = SKIPPED.filter((name) => !patterns.some((pattern) => names(pattern, name)));
  const found = await glob(patterns, {
    cwd: folder,
    expandDirectories: false,
    followSymbolicLinks: false,
    ignore: skipped.map((name) => `**/${name}/**`),
  });
  return found.sort();
}

/** True if a part of the pattern's path, or of an alternative in braces, is this name. */
function names(pattern: string, name: string): boolean {
  return pattern.split(/[/{},()|]/).includes(name);
}

function withoutEscapes(pattern: string): string {
  return pattern.replaceAll(/\\(.)/gs, '$1');
}
