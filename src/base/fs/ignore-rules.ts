import { existsSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import ignore, { type Ignore } from 'ignore';
import { toSlashes } from './paths.js';
import { readRegularFileSync } from './regular-file.js';

/** Folders that are never part of a workspace, even if an ignore file includes them. The CLI skips the same folders. */
const ALWAYS_SKIPPED: ReadonlySet<string> = new Set([
  '.git',
  'node_modules',
  'bower_components',
  '.svn',
  '.hg',
]);

/** True on platforms whose file system ignores case. Git ignores case in patterns there too. */
const IGNORES_CASE = process.platform === 'darwin' || process.platform === 'win32';

const LARGEST_RULE_FILE_BYTES = 1024 * 1024;
/**
 * Most stars in one name of a pattern. The library makes a regular expression of a pattern, and each further star
 * multiplies the time for a long name by its length: an agent could write a pattern that takes years.
 */
const MOST_STARS = 4;

interface RuleFile {
  readonly folder: string;
  readonly rules: Ignore;
}

export interface IgnoreRules {
  /** Returns the rules inside a folder: these rules and those of the folder itself. */
  enter(folder: string): IgnoreRules;
  ignores(path: string, isDirectory: boolean): boolean;
}

/** Returns the root of the repository that contains the folder, or undefined. */
export function findRepository(folder: string): string | undefined {
  for (let at = resolve(folder); ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return at;
    if (dirname(at) === at) return undefined;
  }
}

/** Reads the rules that apply to a workspace, including those of the repository above it. */
export function readIgnoreRules(
  root: string,
  fileNames: readonly string[],
  repository = findRepository(root),
): IgnoreRules {
  const exclude = repository && readRules(repository, join(repository, '.git', 'info', 'exclude'));
  const above = repository === undefined ? [] : foldersBetween(repository, root);
  const files = above.flatMap((folder) => readRuleFiles(folder, fileNames));
  return createRules(exclude ? [exclude, ...files] : files, fileNames);
}

function createRules(files: readonly RuleFile[], fileNames: readonly string[]): IgnoreRules {
  return {
    enter: (folder) => {
      const own = readRuleFiles(folder, fileNames);
      return own.length === 0
        ? createRules(files, fileNames)
        : createRules([...files, ...own], fileNames);
    },
    ignores: (path, isDirectory) => isIgnored(files, path, isDirectory),
  };
}

/** True if the path is ignored. As in git, the nearest ignore file with a matching pattern decides. */
function isIgnored(files: readonly RuleFile[], path: string, isDirectory: boolean): boolean {
  if (isDirectory && ALWAYS_SKIPPED.has(path.slice(path.lastIndexOf(sep) + 1))) return true;
  for (let index = files.length - 1; index >= 0; index--) {
    const file = files[index];
    if (file === undefined) continue;
    const inside = toSlashes(relative(file.folder, path)) + (isDirectory ? '/' : '');
    const { ignored, unignored } = file.rules.test(inside);
    if (ignored) return true;
    if (unignored) return false;
  }
  return false;
}

function readRuleFiles(folder: string, fileNames: readonly string[]): RuleFile[] {
  return fileNames.flatMap((name) => readRules(folder, join(folder, name)) ?? []);
}

function readRules(folder: string, path: string): RuleFile | undefined {
  try {
    const lines = readRegularFileSync(path, LARGEST_RULE_FILE_BYTES).toString().split(/\r?\n/);
    return { folder, rules: ignore({ ignorecase: IGNORES_CASE }).add(lines.filter(isFast)) };
  } catch {
    return undefined;
  }
}

/** False for a pattern that could take too long. Such a pattern has no effect, so more files are listed, not fewer. */
function isFast(pattern: string): boolean {
  return pattern.split('/').every((name) => name.split(/\*+/).length <= MOST_STARS + 1);
}

/** Returns the folders from `from` down to the parent of `to`. */
function foldersBetween(from: string, to: string): string[] {
  const folders: string[] = [];
  for (let at = resolve(to); at !== from && dirname(at) !== at; ) {
    at = dirname(at);
    folders.unshift(at);
  }
  return folders;
}
