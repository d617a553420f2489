import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { hasErrno } from '../../base/errors/errno.js';
import { realpathOf } from '../../base/fs/paths.js';
import { readFolder } from '../../base/fs/read-folder.js';
import { PROJECT_ROOT_FILE, readProjectRoot, spellingsOf } from '../files/project-folders.js';
import { withRegistryLock } from './registry-lock.js';

/** Time that a caller waits for the lock of the CLI. */
const LOCK_MS = 3_000;
const SLUG = /^[a-z0-9-]+$/;

const schema = z.looseObject({ projects: z.record(z.string(), z.string().regex(SLUG)) });
type Registry = z.infer<typeof schema>;

/** Folders of the CLI in which each project has a subfolder. */
const BASES = ['tmp', 'history'] as const;

/**
 * Returns the CLI's short name for a project, and registers the project by the CLI's own rules if the CLI does not know
 * it yet. Undefined if the registry does not exist, is damaged, or stays locked.
 */
export async function registerProject(
  geminiHome: string,
  projectDir: string,
): Promise<string | undefined> {
  return editRegistry<string | undefined>(geminiHome, undefined, (registry, save) => {
    const { projects } = registry;
    const paths = spellingsOf(projectDir);
    for (const path of paths) {
      const slug = projects[path];
      if (slug !== undefined && isFreeFor(geminiHome, slug, [path])) {
        writeMarkers(geminiHome, slug, path);
        return slug;
      }
    }
    const path = realpathOf(projectDir);
    const slug = findMarked(geminiHome, paths) ?? chooseSlug(geminiHome, path, projects);
    if (!save({ ...registry, projects: { ...projects, [path]: slug } })) return undefined;
    writeMarkers(geminiHome, slug, path);
    return slug;
  });
}

/**
 * Removes a temporary project from the registry, together with its folder below `history`, if its folder below `tmp` no
 * longer exists. Returns false if the registry stays locked.
 */
export async function unregisterProject(geminiHome: string, projectDir: string): Promise<boolean> {
  const isDone = await editRegistry(geminiHome, true, (registry, save) => {
    const paths = spellingsOf(projectDir);
    const known = paths.filter((path) => registry.projects[path] !== undefined);
    const slugs = new Set(known.map((path) => registry.projects[path] ?? ''));
    for (const { name } of readFolder(join(geminiHome, 'history'))) {
      const marker = readProjectRoot(join(geminiHome, 'history', name));
      if (SLUG.test(name) && marker !== undefined && paths.includes(marker)) slugs.add(name);
    }
    // Another attempt may have begun in the same folder.
    if ([...slugs].some((slug) => isOwned(join(geminiHome, 'tmp', slug), paths))) return true;
    if (known.length > 0) {
      const others = Object.entries(registry.projects).filter(([path]) => !known.includes(path));
      if (!save({ ...registry, projects: Object.fromEntries(others) })) return false;
    }
    for (const slug of slugs) {
      const history = join(geminiHome, 'history', slug);
      if (isOwned(history, paths)) rmSync(history, { recursive: true, force: true });
    }
    return true;
  });
  return isDone ?? false;
}

/** Replaces the registry, unless the lock was lost. Returns false in that case. */
type SaveRegistry = (registry: Registry) => boolean;

/**
 * Reads and writes the registry under the lock of the CLI. The new file is not synced: the CLI rebuilds lost entries
 * from the marker files. Returns `ifMissing` if there is no valid registry, and undefined if it stays locked.
 */
async function editRegistry<T>(
  geminiHome: string,
  ifMissing: T,
  edit: (registry: Registry, save: SaveRegistry) => T,
): Promise<T | undefined> {
  // The library of the CLI follows links before it appends `.lock`.
  const file = realpathOf(join(geminiHome, 'projects.json'));
  if (readRegistry(file) === undefined) return ifMissing;
  return withRegistryLock(file, LOCK_MS, (isHeld) => {
    const registry = readRegistry(file);
    if (registry === undefined) return ifMissing;
    return edit(registry, (changed) => {
      const temporary = `${file}.${randomUUID()}.tmp`;
      try {
        writeFileSync(temporary, JSON.stringify(changed, null, 2));
        if (!isHeld()) return false;
        renameSync(temporary, file);
        return true;
      } finally {
        rmSync(temporary, { force: true });
      }
    });
  });
}

function readRegistry(file: string): Registry | undefined {
  try {
    return schema.safeParse(JSON.parse(readFileSync(file, 'utf8'))).data;
  } catch (error) {
    if (error instanceof SyntaxError || hasErrno(error, 'ENOENT')) return undefined;
    throw error;
  }
}

function isOwned(folder: string, paths: readonly string[]): boolean {
  const marker = readProjectRoot(folder);
  return marker !== undefined && paths.includes(marker);
}

/** True if no marker gives the short name to another project. */
function isFreeFor(geminiHome: string, slug: string, paths: readonly string[]): boolean {
  return BASES.every((base) => {
    const marker = readProjectRoot(join(geminiHome, base, slug));
    return marker === undefined || paths.includes(marker);
  });
}

function findMarked(geminiHome: string, paths: readonly string[]): string | undefined {
  for (const base of BASES) {
    const folder = join(geminiHome, base);
    const found = readFolder(folder).find(({ name }) => {
      return SLUG.test(name) && isOwned(join(folder, name), paths);
    });
    if (found !== undefined && isFreeFor(geminiHome, found.name, paths)) return found.name;
  }
  return undefined;
}

function chooseSlug(
  geminiHome: string,
  path: string,
  projects: Readonly<Record<string, string>>,
): string {
  const taken = new Set(Object.values(projects));
  const name = slugify(basename(path));
  for (let counter = 0; ; counter++) {
    const slug = counter === 0 ? name : `${name}-${counter}`;
    if (!taken.has(slug) && isFreeFor(geminiHome, slug, [path])) return slug;
  }
}

/** Makes a short name of a folder name as the CLI does. */
function slugify(name: string): string {
  const slug = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  return slug === '' ? 'project' : slug;
}

function writeMarkers(geminiHome: string, slug: string, path: string): void {
  for (const base of BASES) {
    const folder = join(geminiHome, base, slug);
    mkdirSync(folder, { recursive: true });
    if (readProjectRoot(folder) === undefined)
      writeFileSync(join(folder, PROJECT_ROOT_FILE), path, { flag: 'wx' });
  }
}
