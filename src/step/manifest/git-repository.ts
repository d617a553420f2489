import { relative } from 'node:path';
import { type FileState, fileStateOf } from '../../base/fs/fingerprint.js';
import { realpathOf, toSlashes } from '../../base/fs/paths.js';
import { type Names, parseNames } from '../../base/git/git-names.js';
import { askGit } from '../../base/git/run-git.js';

export interface RepositoryStatus {
  /** Untracked files, and files that differ from the commit. */
  readonly dirty: Names;
  /** Repositories inside this one, tracked or not. Git does not list their files. */
  readonly nested: Names;
  readonly tracked: ReadonlySet<string>;
  readonly head: string | undefined;
}

/** Lines `1 XY sub mH mI mW hH hI path`, `u XY sub m1 m2 m3 mW h1 h2 h3 path`, `? path`; a repository ends in `/`. */
const DIRTY = /^(?:1 (?:\S+ ){7}|u (?:\S+ ){9}|\? )([\s\S]*[^/])$/;
const UNTRACKED_REPOSITORY = /^\? ([\s\S]+)\/$/;
/** Lines `mode object stage\tpath`. Mode 160000, a commit instead of a file, is a repository. */
const TRACKED = /^\d+ \w+ \d\t([\s\S]+)$/;
const TRACKED_REPOSITORY = /^160000 \w+ \d\t([\s\S]+)$/;

/**
 * Repository, queried about one of its folders. Git runs in the top level, so the queries go to the same repository
 * even if a new one is created in that folder. All paths are relative to the top level.
 */
export class GitRepository {
  readonly top: string;
  readonly folder: string;
  readonly #pathspec: string;

  private constructor(top: string, folder: string) {
    this.top = top;
    this.folder = folder;
    this.#pathspec = toSlashes(relative(top, folder)) || '.';
  }

  /** Returns undefined if git does not work here, or if the repository ignores the folder. */
  static async open(root: string, signal?: AbortSignal): Promise<GitRepository | undefined> {
    const folder = realpathOf(root);
    const top = await findTop(folder, signal);
    if (top === undefined) return undefined;
    const repository = new GitRepository(top, folder);
    const args = ['check-ignore', '-q', '--', `./${repository.#pathspec}`];
    const answer = await git(top, args, signal);
    const isIgnored = answer !== undefined;
    return isIgnored ? undefined : repository;
  }

  /** Throws if git fails, or if the top level now belongs to another repository. */
  async readStatus(signal?: AbortSignal): Promise<RepositoryStatus> {
    const top = await findTop(this.top, signal);
    if (top !== this.top) throw new Error('git does not answer any more for this repository');
    const options = ['--untracked-files=all', '--ignore-submodules=all', '--no-renames'];
    const status = ['status', '--porcelain=v2', '-z', ...options, '--', this.#pathspec];
    const stage = ['ls-files', '--stage', '-z', '--', this.#pathspec];
    const lines = await this.#lines(['--literal-pathspecs', ...status], signal);
    const index = await this.#lines(['--literal-pathspecs', ...stage], signal);
    const inside = [...match(lines, UNTRACKED_REPOSITORY), ...match(index, TRACKED_REPOSITORY)];
    const head = await git(this.top, ['rev-parse', '--verify', 'HEAD'], signal);
    return {
      dirty: parseNames(match(lines, DIRTY)),
      nested: parseNames(inside),
      tracked: new Set(parseNames(match(index, TRACKED)).readable),
      head: head?.toString().trim(),
    };
  }

  /** Lists the files that differ between two commits; undefined stands for the time before the first commit. */
  async listDifferences(
    from: string | undefined,
    to: string | undefined,
    signal?: AbortSignal,
  ): Promise<Names> {
    if (from === to) return parseNames([]);
    const sides = [from ?? (await this.#emptyTree(signal)), to ?? (await this.#emptyTree(signal))];
    const args = [
      '--literal-pathspecs',
      'diff',
      '--name-only',
      '--no-renames',
      '-z',
      ...sides,
      '--',
      this.#pathspec,
    ];
    return parseNames(await this.#lines(args, signal));
  }

  async listCommitted(
    commit: string | undefined,
    signal?: AbortSignal,
  ): Promise<ReadonlySet<string>> {
    if (commit === undefined) return new Set();
    const where = this.#pathspec === '.' ? [] : [`${this.#pathspec}/`];
    const args = ['ls-tree', '-r', '-z', '--name-only', '--', commit, ...where];
    return new Set(parseNames(await this.#lines(args, signal)).readable);
  }

  /** Reads a committed file with the filters of a checkout applied. */
  async readCommitted(
    commit: string,
    path: string,
    signal?: AbortSignal,
  ): Promise<FileState | undefined> {
    const content = await git(this.top, ['cat-file', '--filters', `${commit}:${path}`], signal);
    return content && fileStateOf(content);
  }

  /** True if the folder is now part of another repository. */
  async hasLostFolder(signal?: AbortSignal): Promise<boolean> {
    return (await findTop(this.folder, signal)) !== this.top;
  }

  async #emptyTree(signal: AbortSignal | undefined): Promise<string> {
    const [name = ''] = await this.#lines(['hash-object', '-t', 'tree', '--stdin'], signal);
    return name.trim();
  }

  /** Decodes the output as latin1, which keeps every byte, because file names need not be UTF-8. */
  async #lines(args: readonly string[], signal?: AbortSignal): Promise<string[]> {
    const output = await git(this.top, args, signal);
    if (output === undefined) throw new Error('git does not answer any more for this repository');
    return output.toString('latin1').split('\0');
  }
}

function match(lines: readonly string[], pattern: RegExp): string[] {
  return lines.flatMap((line) => pattern.exec(line)?.[1] ?? []);
}

async function findTop(folder: string, signal?: AbortSignal): Promise<string | undefined> {
  const top = await git(folder, ['rev-parse', '--show-toplevel'], signal);
  return top?.toString().replace(/\n$/, '');
}

async function git(
  folder: string,
  args: readonly string[],
  signal?: AbortSignal,
): Promise<Buffer | undefined> {
  const { exitCode, stdout } = await askGit({ folder }, args, { signal });
  // After an abort git was killed, which looks like a failure of git.
  signal?.throwIfAborted();
  return exitCode === 0 ? stdout : undefined;
}
