import { listReservedFolders } from '../base/fs/reserved-folders.js';

/** Files that the agent, git or this package obeys or executes at the next start. Each pattern holds in every folder of the workspace. */
export const DEFAULT_PROTECTED_PATHS = [
  '.gemini/**',
  '.env',
  '.git',
  '.git/config',
  '.git/hooks/**',
  '.git/info/**',
  'gemini-cli-provider.*',
] as const;

export type DefaultProtectedPath = (typeof DEFAULT_PROTECTED_PATHS)[number];

/** Protected files of a step. */
export interface ProtectedPaths {
  /** Default patterns in force. The mode `yolo` ignores them. */
  readonly defaults: readonly DefaultProtectedPath[];
  /** Globs relative to the workspace, and absolute paths. They hold in every mode. */
  readonly added: readonly string[];
  /** Globs and absolute paths that are not protected. */
  readonly exempt: readonly string[];
}

/**
 * Splits the option `protectedPaths` into defaults, additions and exceptions. Folders that this process has reserved for
 * itself, such as the lease of a batch, are always among the additions.
 */
export function resolveProtectedPaths(
  given: readonly string[] | false | undefined,
): ProtectedPaths {
  const reserved = listReservedFolders();
  if (given === false) return { defaults: [], added: reserved, exempt: [] };
  const entries = given ?? [];
  const removed = entries.filter((entry) => entry.startsWith('!')).map((entry) => entry.slice(1));
  const exempt = removed.filter((entry) => !isDefault(entry));
  return {
    defaults: DEFAULT_PROTECTED_PATHS.filter((pattern) => !removed.includes(pattern)),
    added: [...entries.filter((entry) => !entry.startsWith('!')), ...reserved],
    exempt,
  };
}

function isDefault(entry: string): boolean {
  return DEFAULT_PROTECTED_PATHS.some((pattern) => pattern === entry);
}
