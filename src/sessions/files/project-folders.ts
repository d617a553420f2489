import { join, resolve } from 'node:path';
import { sha256 } from '../../base/fs/fingerprint.js';
import { realpathOf } from '../../base/fs/paths.js';
import { readFolder } from '../../base/fs/read-folder.js';
import { readSmallFile } from '../../base/fs/read-opened-file.js';

/** Largest list of projects and largest path that are read. A larger file is not from the CLI. */
const MOST_LIST_BYTES = 16 * 1024 * 1024;
const MOST_ROOT_BYTES = 64 * 1024;
/** Name of the file with the path of the project, in each folder of a project. */
export const PROJECT_ROOT_FILE = '.project_root';

export interface ProjectQuery {
  readonly geminiHome: string;
  readonly projectDir: string;
}

/** Finds the CLI's short name for a project. */
export function findSlug({ geminiHome, projectDir }: ProjectQuery): string | undefined {
  const slugs = readSlugs(geminiHome);
  const paths = spellingsOf(projectDir);
  const slug = paths.map((path) => slugs.get(path)).find((found) => found !== undefined);
  if (slug === undefined) return undefined;
  // `.project_root` in the folder counts more than projects.json: another project may have taken the name.
  const root = readRoot(geminiHome, slug);
  return root === undefined || paths.includes(root) ? slug : undefined;
}

/**
 * Finds the folders of a project below `tmp`, by all names that versions of the CLI have used. The first folder is the
 * one in use. The CLI keeps old folders after copying them to a new name.
 */
export function projectFolders(query: ProjectQuery): string[] {
  const { geminiHome, projectDir } = query;
  const paths = spellingsOf(projectDir);
  const hashes = new Set(paths.map(sha256));
  const present = allProjectFolders(geminiHome);
  const slug = findSlug(query);
  const rooted = present.filter((folder) => {
    const root = readRoot(geminiHome, folder);
    return root !== undefined && paths.includes(root);
  });
  const named = slug !== undefined && present.includes(slug) ? [slug] : [];
  return [...new Set([...named, ...rooted, ...present.filter((folder) => hashes.has(folder))])];
}

export function allProjectFolders(geminiHome: string): string[] {
  return readFolder(join(geminiHome, 'tmp'))
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
}

/** Returns a function that finds the project directory of a folder, if the CLI recorded it. */
export function projectDirs(geminiHome: string): (folder: string) => string | undefined {
  const dirs = new Map<string, string>();
  const slugs = readSlugs(geminiHome);
  for (const [dir, slug] of slugs) dirs.set(slug, dir);
  for (const folder of allProjectFolders(geminiHome)) {
    const root = readRoot(geminiHome, folder);
    if (root !== undefined) dirs.set(folder, root);
  }
  const hashed = [...slugs.keys(), ...dirs.values()].map((dir) => [sha256(dir), dir] as const);
  const known = new Map([...hashed, ...dirs]);
  return (folder) => known.get(folder);
}

/** Returns the paths by which the CLI may know a project: the real path and the given one. */
export function spellingsOf(projectDir: string): string[] {
  const path = resolve(projectDir);
  return [...new Set([realpathOf(path), path])];
}

function readSlugs(geminiHome: string): ReadonlyMap<string, string> {
  try {
    const { projects }: { projects?: object } = JSON.parse(
      readSmallFile(join(geminiHome, 'projects.json'), MOST_LIST_BYTES) ?? '{}',
    );
    const entries: [string, unknown][] = Object.entries(projects ?? {});
    return new Map(entries.flatMap(([dir, slug]) => (isName(slug) ? [[dir, slug]] : [])));
  } catch {
    return new Map();
  }
}

function isName(slug: unknown): slug is string {
  return typeof slug === 'string' && slug !== '';
}

function readRoot(geminiHome: string, folder: string): string | undefined {
  return readProjectRoot(join(geminiHome, 'tmp', folder));
}

/** Reads the path of the project from the marker file in one of its folders. */
export function readProjectRoot(folder: string): string | undefined {
  return readSmallFile(join(folder, PROJECT_ROOT_FILE), MOST_ROOT_BYTES)?.trim() || undefined;
}
