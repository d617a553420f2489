import { readlinkSync } from 'node:fs';
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path';
import type { ApprovalMode } from '../api/provider-config.js';
import { createGlob } from '../base/fs/glob.js';
import { isInside, realpathOf, toSlashes } from '../base/fs/paths.js';
import { isInReservedFolder } from '../base/fs/reserved-folders.js';
import type { DefaultProtectedPath, ProtectedPaths } from './protected-paths.js';

export interface GuardedStep {
  readonly config: {
    readonly protectedPaths: ProtectedPaths;
    readonly approvalMode: ApprovalMode;
  };
  readonly workingDir: string;
  readonly workspaceDirs: readonly string[];
  /** Folder of the CLI with its own settings and sessions; undefined for another agent. */
  readonly geminiHome?: string | undefined;
}

/** Decides which paths of a step are protected. */
export interface PathGuard {
  /** True if no pattern is in force. */
  readonly isOff: boolean;
  /** True if the agent may not change the file. A relative path starts at the working directory; links are followed. */
  isProtected(path: string): boolean;
  /** True if the default pattern is in force and the path is no exception. For files whose name does not show the pattern. */
  isProtectedAs(pattern: DefaultProtectedPath, path: string): boolean;
}

/** File names are compared without case where the file system usually does so. */
const IGNORES_CASE = process.platform === 'darwin' || process.platform === 'win32';

const MOST_LINKS = 16;

export function createPathGuard(step: GuardedStep): PathGuard {
  const { protectedPaths, approvalMode } = step.config;
  const defaults = approvalMode === 'yolo' ? [] : protectedPaths.defaults;
  const added = protectedPaths.added.map((entry) => createMatcher(entry, step));
  const exempt = protectedPaths.exempt.map((entry) => createMatcher(entry, step));
  const isProtectedName = (path: string): boolean => {
    if (isInReservedFolder(path)) return true;
    if (exempt.some((matches) => matches(path))) return false;
    return isObeyed(path, step, defaults) || added.some((matches) => matches(path));
  };
  return {
    isOff: defaults.length === 0 && added.length === 0,
    isProtected: (path) => {
      const absolute = resolve(step.workingDir, path);
      return isProtectedName(absolute) || isProtectedName(realpathOf(followLinks(absolute)));
    },
    isProtectedAs: (pattern, path) => {
      return defaults.includes(pattern) && !exempt.some((matches) => matches(path));
    },
  };
}

/** True if the agent obeys the file at its next start, by one of the default patterns. */
function isObeyed(
  path: string,
  { workspaceDirs, geminiHome }: Pick<GuardedStep, 'workspaceDirs' | 'geminiHome'>,
  defaults: readonly DefaultProtectedPath[],
): boolean {
  if (defaults.length === 0) return false;
  if (geminiHome !== undefined && isInside(geminiHome, path)) {
    const inHome = foldCase(toSlashes(relative(realpathOf(geminiHome), realpathOf(path))));
    return defaults.includes('.gemini/**') && OBEYED_IN_HOME.test(inHome);
  }
  const root = workspaceDirs.find((dir) => isBelow(dir, path));
  const name = foldCase(toSlashes(root === undefined ? path : relative(root, path)));
  return defaults.some((pattern) => OBEYED[pattern].test(name));
}

/**
 * Patterns of the defaults for a path with slashes. In `.gemini/tmp` the CLI keeps plans, which the model may write, and
 * session files, from which this package learns what a step did.
 */
const OBEYED: Readonly<Record<DefaultProtectedPath, RegExp>> = {
  '.gemini/**': /(?:^|\/)\.gemini(?:$|\/(?!tmp\/(?!.*chats\/)))/,
  '.env': /(?:^|\/)\.env$/,
  '.git': /(?:^|\/)\.git$/,
  '.git/config':
    /(?:^|\/)\.git\/(?:(?:modules|worktrees)\/.*\/)?(?:config|config\.worktree|commondir|gitdir)$/,
  '.git/hooks/**': /(?:^|\/)\.git\/(?:(?:modules|worktrees)\/.*\/)?hooks(?:$|\/)/,
  '.git/info/**': /(?:^|\/)\.git\/(?:(?:modules|worktrees)\/.*\/)?info(?:$|\/(?!refs$))/,
  'gemini-cli-provider.*': /(?:^|\/)gemini-cli-provider\.(?:ya?ml|json)$/,
};

/** Files of the CLI's own folder that the CLI obeys. It writes the others itself: sessions, logs, caches. */
const OBEYED_IN_HOME =
  /^(?:settings\.json|trustedfolders\.json|\.env|(?:policies|extensions|commands|agents|skills|hooks|tmp\/[^/]+\/chats)(?:\/.*)?)$/i;

/** Creates a function that matches absolute paths with a glob relative to the workspace, or with an absolute path. */
function createMatcher(
  entry: string,
  { workspaceDirs }: Pick<GuardedStep, 'workspaceDirs'>,
): (path: string) => boolean {
  const pattern = foldCase(toSlashes(entry));
  const matches = createGlob(pattern);
  if (isAbsolute(entry)) {
    return (path) => matches(foldCase(toSlashes(path))) || isBelow(realpathOf(entry), path);
  }
  return (path) => {
    return workspaceDirs.some((dir) => {
      const names = [dir, realpathOf(dir)].map((root) => toSlashes(relative(root, path)));
      return names.some((name) => !name.startsWith('../') && matches(foldCase(name)));
    });
  };
}

/** True if the path lies in the folder by its name, without following links of the path. */
function isBelow(folder: string, path: string): boolean {
  return [folder, realpathOf(folder)].some((root) => path === root || path.startsWith(root + sep));
}

/** Follows links at the end of a path, also those to a file that does not exist: a write would create it. */
function followLinks(path: string): string {
  let at = path;
  for (let links = 0; links < MOST_LINKS; links++) {
    try {
      at = resolve(dirname(at), readlinkSync(at));
    } catch {
      return at;
    }
  }
  return at;
}

function foldCase(path: string): string {
  return IGNORES_CASE ? path.toLowerCase() : path;
}
