import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { realpathOf } from '../workspace/paths.js';
import { readFolder } from '../workspace/read-folder.js';

export interface ProjectQuery {
  readonly geminiHome: string;
  readonly projectDir: string;
}

/** The CLI's short name for a project. */
export function findSlug({ geminiHome, projectDir }: ProjectQuery): string | undefined {
  const slugs = readSlugs(geminiHome);
  return slugs[realpathOf(projectDir)] ?? slugs[projectDir];
}

/** The folders of a project below `tmp`, by all the ways in which versions of the CLI have named them. */
export function projectFolders(query: ProjectQuery): string[] {
  const paths = [...new Set([realpathOf(query.projectDir), query.projectDir])];
  const hashes = paths.map((path) => createHash('sha256').update(path).digest('hex'));
  const present = allProjectFolders(query.geminiHome);
  const owned = present.filter((folder) => {
    const root = readRoot(query.geminiHome, folder);
    return hashes.includes(folder) || (root !== undefined && paths.includes(root));
  });
  const slug = findSlug(query);
  return [...new Set(slug !== undefined && present.includes(slug) ? [slug, ...owned] : owned)];
}

export function allProjectFolders(geminiHome: string): string[] {
  return readFolder(join(geminiHome, 'tmp'))
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
}

/** The project of each folder, as far as the CLI has written it down. */
export function projectDirs(geminiHome: string): (folder: string) => string | undefined {
  const slugs = Object.entries(readSlugs(geminiHome));
  const dirs = new Map(slugs.map(([dir, slug]) => [slug, dir]));
  return (folder) => readRoot(geminiHome, folder) ?? dirs.get(folder);
}

function readSlugs(geminiHome: string): Readonly<Record<string, string>> {
  try {
    const { projects }: { projects?: Record<string, string> } = JSON.parse(
      readFileSync(join(geminiHome, 'projects.json'), 'utf8'),
    );
    return projects ?? {};
  } catch {
    return {};
  }
}

function readRoot(geminiHome: string, folder: string): string | undefined {
  try {
    const root = readFileSync(join(geminiHome, 'tmp', folder, '.project_root'), 'utf8');
    return root.trim() === '' ? undefined : root.trim();
  } catch {
    return undefined;
  }
}
