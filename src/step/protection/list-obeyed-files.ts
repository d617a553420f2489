import type { Dirent } from 'node:fs';
import { lstat, readdir, readFile, stat } from 'node:fs/promises';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { findRepository } from '../../base/fs/ignore-rules.js';
import { isInReservedFolder, leadsToReservedFolder } from '../../base/fs/reserved-folders.js';
import type { DefaultProtectedPath } from '../../config/protected-paths.js';

export interface ObeyedFilesRequest {
  readonly workspaceDirs: readonly string[];
  readonly geminiHome: string | undefined;
  /** Absolute paths and globs that are protected beside the defaults. */
  readonly added: readonly string[];
  /** True for a path that one of `added` matches. */
  readonly isAdded: (path: string) => boolean;
  /** True if the whole workspace is searched; otherwise only its top and the folders above it. */
  readonly isDeep: boolean;
  /** Ends the search: the files that were found until then are returned. */
  readonly signal?: AbortSignal | undefined;
}

/** Path of each file, with the default pattern that it belongs to; undefined for a path of the caller. */
export type ObeyedFiles = Map<string, DefaultProtectedPath | undefined>;

/** Limits of the search. A workspace with more folders is searched in part. */
const MOST_FOLDERS = 5_000;
const MOST_FILES = 2_000;
const DEEPEST = 16;

const SKIPPED: ReadonlySet<string> = new Set(['node_modules', 'bower_components', '.svn', '.hg']);
const FILES_IN_HOME = ['settings.json', 'trustedFolders.json', '.env'];
const FOLDERS_IN_HOME = ['policies', 'commands', 'agents', 'skills', 'hooks'];
/** Settings of this package, which the command line finds by itself: `CONFIG_NAME` of the wing `cli`. */
const CONFIG_FILE = /^gemini-cli-provider\.(?:ya?ml|json)$/;
const CONFIG_FILES = ['yaml', 'yml', 'json'].map((ending) => `gemini-cli-provider.${ending}`);
const GIT_FILES = ['config', 'config.worktree', 'commondir', 'gitdir'];

/** Lists the files that the agent obeys at its next start, and the files that the caller protects. */
export async function listObeyedFiles(request: ObeyedFilesRequest): Promise<ObeyedFiles> {
  const search = new Search(request);
  for (const folder of request.workspaceDirs) {
    await search.addTop(folder);
    for (let at = dirname(folder); ; at = dirname(at)) {
      await search.addTree(join(at, '.env'), '.env');
      await search.addTree(join(at, '.gemini', '.env'), '.gemini/**');
      if (dirname(at) === at) break;
    }
    const repository = findRepository(folder);
    if (repository !== undefined) {
      await search.addGit(join(repository, '.git'));
      for (let at = folder; at !== repository; at = dirname(at))
        await search.addConfig(dirname(at));
    }
    if (request.isDeep) await search.walk(folder, 0);
  }
  if (request.geminiHome !== undefined) await search.addHome(request.geminiHome);
  for (const entry of request.added) {
    if (isAbsolute(entry)) await search.addTree(entry.replace(/\/\*\*$/, ''), undefined);
  }
  return search.files;
}

class Search {
  readonly files: ObeyedFiles = new Map();
  readonly #request: ObeyedFilesRequest;
  /** Paths that were asked: on a slow file system each question takes its time. */
  readonly #visited = new Set<string>();
  #folders = 0;

  constructor(request: ObeyedFilesRequest) {
    this.#request = request;
  }

  async addTop(folder: string): Promise<void> {
    await this.addTree(join(folder, '.gemini'), '.gemini/**');
    await this.addTree(join(folder, '.env'), '.env');
    await this.addGit(join(folder, '.git'));
    await this.addConfig(folder);
  }

  /** Adds the settings of this package for a folder: in the folder itself, or in its folder `.config`. */
  async addConfig(folder: string): Promise<void> {
    for (const at of [folder, join(folder, '.config')])
      for (const name of CONFIG_FILES) await this.addTree(join(at, name), 'gemini-cli-provider.*');
  }

  async addHome(home: string): Promise<void> {
    for (const name of [...FILES_IN_HOME, ...FOLDERS_IN_HOME])
      await this.addTree(join(home, name), '.gemini/**');
    for (const { name } of await this.#read(join(home, 'extensions'))) {
      const extension = join(home, 'extensions', name);
      await this.addTree(join(extension, 'gemini-extension.json'), '.gemini/**');
      await this.addTree(join(extension, 'hooks', 'hooks.json'), '.gemini/**');
    }
  }

  /** Adds a file, a link, or all files of a folder. A link to a folder is added together with the files behind it. */
  async addTree(
    path: string,
    pattern: DefaultProtectedPath | undefined,
    depth = 0,
    known?: Dirent,
  ): Promise<void> {
    if (this.#visited.has(path)) return;
    this.#visited.add(path);
    const entry = known ?? (await lstat(path).catch(() => undefined));
    if (entry === undefined || this.files.size >= MOST_FILES) return;
    // The folder of a plain file was asked before.
    const mayLeadAway = known === undefined || entry.isSymbolicLink();
    if (mayLeadAway ? leadsToReservedFolder(path) : isInReservedFolder(path)) return;
    if (!entry.isDirectory()) this.files.set(path, pattern);
    const isFolder =
      entry.isDirectory() ||
      (entry.isSymbolicLink() && (await stat(path).catch(() => undefined))?.isDirectory());
    if (!isFolder || depth >= DEEPEST) return;
    for (const child of await this.#read(path)) {
      // The CLI keeps plans and logs in `.gemini/tmp`.
      if (pattern === '.gemini/**' && depth === 0 && child.name === 'tmp') continue;
      if (pattern === '.git/info/**' && child.name === 'refs') continue;
      await this.addTree(join(path, child.name), pattern, depth + 1, child);
    }
  }

  /** Adds the files of a repository that git obeys. In a worktree `.git` is a file that names another folder. */
  async addGit(path: string): Promise<void> {
    if (this.#visited.has(path)) return;
    this.#visited.add(path);
    const stats = await lstat(path).catch(() => undefined);
    if (stats === undefined) return;
    if (!stats.isDirectory()) this.files.set(path, '.git');
    const folder = stats.isFile() ? await readPointer(path, /^gitdir: (.+)$/m) : path;
    if (folder === undefined) return;
    const common = await readPointer(join(folder, 'commondir'), /^(.+)$/m);
    for (const gitDir of new Set([folder, common ?? folder])) {
      for (const name of GIT_FILES) await this.addTree(join(gitDir, name), '.git/config');
      await this.addTree(join(gitDir, 'hooks'), '.git/hooks/**');
      await this.addTree(join(gitDir, 'info'), '.git/info/**');
      for (const { name } of await this.#read(join(gitDir, 'modules'))) {
        await this.addTree(join(gitDir, 'modules', name, 'config'), '.git/config');
        await this.addTree(join(gitDir, 'modules', name, 'hooks'), '.git/hooks/**');
      }
    }
  }

  async walk(folder: string, depth: number): Promise<void> {
    for (const entry of await this.#read(folder)) {
      const path = join(folder, entry.name);
      if (entry.name === '.gemini') await this.addTree(path, '.gemini/**');
      else if (entry.name === '.env') await this.addTree(path, '.env');
      else if (entry.name === '.git') await this.addGit(path);
      else if (CONFIG_FILE.test(entry.name)) await this.addTree(path, 'gemini-cli-provider.*');
      else if (entry.isDirectory()) {
        if (!SKIPPED.has(entry.name) && depth < DEEPEST) await this.walk(path, depth + 1);
      }
      const { added, isAdded } = this.#request;
      if (added.length > 0 && !entry.isDirectory() && !this.files.has(path) && isAdded(path))
        await this.addTree(path, undefined);
    }
  }

  async #read(folder: string): Promise<Dirent[]> {
    if (this.#request.signal?.aborted || ++this.#folders > MOST_FOLDERS) return [];
    return readdir(folder, { withFileTypes: true }).catch(() => []);
  }
}

/** Reads the path in a file such as `.git` of a worktree, relative to the folder of that file. */
async function readPointer(file: string, pattern: RegExp): Promise<string | undefined> {
  const stats = await lstat(file).catch(() => undefined);
  if (!stats?.isFile() || stats.size > 4096) return undefined;
  const text = await readFile(file, 'utf8').catch(() => '');
  const target = pattern.exec(text)?.[1]?.trim();
  return target === undefined ? undefined : resolve(dirname(file), target);
}
