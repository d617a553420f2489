import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import ignore, { type Ignore } from 'ignore';
import { toSlashes } from './paths.js';

/** Never part of a workspace, whatever the ignore files say; the CLI skips the same ones. */
const ALWAYS_SKIPPED: ReadonlySet<string> = new Set([
  '.git',
  'node_modules',
  'bower_components',
  '.svn',
  '.hg',
]);

/** As git does it, by the file system of the platform. */
const IGNORES_CASE = process.platform === 'darwin' || process.platform === 'win32';

interface RuleFile {
  readonly folder: string;
  readonly rules: Ignore;
}

export interface IgnoreRules {
  /** The rules that hold inside a folder: those above it and its own. */
  enter(folder: string): IgnoreRules;
  ignores(path: string, isDirectory: boolean): boolean;
}

/** The repository that this folder is part of, if any. */
export function findRepository(folder: string): string | undefined {
  for (let at = resolve(folder); ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return at;
    if (dirname(at) === at) return undefined;
  }
}

/** The rules that hold for a workspace, including those of the repository above it. */
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

/** As in git, the nearest file that has anything to say decides. */
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
    return { folder, rules: ignore({ ignorecase: IGNORES_CASE }).add(readFileSync(path, 'utf8')) };
  } catch {
    return undefined;
  }
}

/** From the first folder down to the one above the second. */
function foldersBetween(from: string, to: string): string[] {
  const folders: string[] = [];
  for (let at = resolve(to); at !== from && dirname(at) !== at; ) {
    at = dirname(at);
    folders.unshift(at);
  }
  return folders;
}
