import { ProviderError } from '../../base/errors/provider-error.js';
import { askGit, type GitOptions } from '../../base/git/run-git.js';
import { sleep } from '../../base/process/timing.js';
import { type BytePath, joinNames, splitNames } from '../isolation/byte-path.js';
import { describeRefusal, gitLine, gitOutput } from '../isolation/git-output.js';
import { readEntry } from '../isolation/tree-entry.js';
import { updateIndex } from '../isolation/update-index.js';

/** Tries of a commit whose branch moves or is locked, and of an index that is locked. */
const MOST_TRIES = 6;
const WAIT_MS = 150;

/** Settings of a commit: no guessed name of the author, and messages in UTF-8. */
const AS_USER: GitOptions = {
  author: 'user',
  settings: ['user.useConfigOnly=true', 'i18n.commitEncoding=utf-8'],
};

/** Commit and tree of HEAD. Both are undefined before the first commit. */
interface Head {
  readonly commit: string | undefined;
  readonly tree: string | undefined;
}

export interface PathsToCommit {
  /** Paths relative to the top of the working tree. */
  readonly paths: readonly BytePath[];
  readonly message: string;
  /** True if an earlier run may have made the commit already, and was killed before it could write its name. */
  readonly isLate: boolean;
}

/**
 * Commits paths of a working tree on the current branch as they are on the disk, with an index of its own: what the user
 * has staged or changed elsewhere is no part of the commit. Commits must be made one after another.
 */
export class PathCommitter {
  readonly #top: string;
  readonly #indexFile: string;
  /** Commit whose files the own index has. Undefined if the index has to be read again. */
  #indexed: string | undefined;

  constructor(top: string, indexFile: string) {
    this.#top = top;
    this.#indexFile = indexFile;
  }

  /** Returns the name of the commit; undefined if the files are in HEAD already, or are ignored. */
  async commit(request: PathsToCommit): Promise<string | undefined> {
    const paths = await this.#withoutIgnored(request.paths);
    if (paths.length === 0) return undefined;
    for (let tries = 1; ; tries++) {
      const head = await this.#readHead();
      // Before the first commit, there is nothing that a missing file could be removed from.
      if (head.commit === undefined && !paths.some((path) => this.#isThere(path))) return undefined;
      const tree = await this.#writeTree(head, paths);
      if (tree === head.tree) {
        this.#indexed = head.commit;
        return request.isLate ? this.#findEarlier(head, paths, request.message) : undefined;
      }
      const commit = await this.#writeCommit(head, tree, request.message);
      const refusal = await this.#moveBranch(head, commit);
      if (refusal === undefined) {
        this.#indexed = commit;
        await this.#refreshIndex(paths, commit);
        return commit;
      }
      if (tries === MOST_TRIES) throw refusal;
      await sleep(tries * WAIT_MS);
    }
  }

  /** Leaves out files that git ignores and does not track, as `git add` does. */
  async #withoutIgnored(paths: readonly BytePath[]): Promise<readonly BytePath[]> {
    const there = paths.filter((path) => this.#isThere(path));
    if (there.length === 0) return paths;
    const args = ['check-ignore', '-z', '--stdin'];
    const answer = await askGit({ folder: this.#top }, args, { stdin: joinNames(there) });
    if (answer.exitCode !== 0 && answer.exitCode !== 1) throw describeRefusal(args, answer);
    const ignored = new Set(splitNames(answer.stdout));
    return paths.filter((path) => !ignored.has(path));
  }

  #isThere(path: BytePath): boolean {
    return readEntry(this.#top, path) !== undefined;
  }

  async #readHead(): Promise<Head> {
    const stdin = Buffer.from('HEAD^{commit}\nHEAD^{tree}\n');
    const answer = await gitLine({ folder: this.#top }, ['cat-file', '--batch-check'], { stdin });
    const [commit, tree] = answer.split('\n').map((line) => {
      const [name, type] = line.split(' ');
      return type === 'commit' || type === 'tree' ? name : undefined;
    });
    return { commit, tree };
  }

  /** Writes the tree of HEAD with these paths as they are on the disk. */
  async #writeTree({ commit }: Head, paths: readonly BytePath[]): Promise<string> {
    const git = { folder: this.#top, indexFile: this.#indexFile };
    const isKnown = commit !== undefined && commit === this.#indexed;
    this.#indexed = undefined;
    if (!isKnown) await gitOutput(git, ['read-tree', commit ?? '--empty']);
    await updateIndex(git, paths);
    return gitLine(git, ['write-tree']);
  }

  #writeCommit({ commit }: Head, tree: string, message: string): Promise<string> {
    const parents = commit === undefined ? [] : ['-p', commit];
    return gitLine({ folder: this.#top }, ['commit-tree', tree, ...parents, '-F', '-'], {
      ...AS_USER,
      stdin: Buffer.from(message),
    });
  }

  /** Moves the current branch, or a detached HEAD, if it is still where it was. Returns the reason if it is not moved. */
  async #moveBranch({ commit }: Head, next: string): Promise<ProviderError | undefined> {
    const before = commit ?? '0'.repeat(next.length);
    const args = ['update-ref', '-m', 'commit: gemini-cli-provider batch', 'HEAD', next, before];
    const answer = await askGit({ folder: this.#top }, args, AS_USER);
    return answer.exitCode === 0 ? undefined : describeRefusal(args, answer);
  }

  /**
   * Brings these paths of the user's index up to date. With the old entries, the next commit of the user would revert
   * the files.
   */
  async #refreshIndex(paths: readonly BytePath[], commit: string): Promise<void> {
    for (let tries = 1; ; tries++) {
      try {
        return await updateIndex({ folder: this.#top }, paths);
      } catch (error) {
        if (tries === MOST_TRIES) throw new StaleIndexError(commit, error);
        await sleep(tries * WAIT_MS);
      }
    }
  }

  /** Finds the commit that a killed run has made: the last one of these paths, if its message is the same. */
  async #findEarlier(
    { commit }: Head,
    paths: readonly BytePath[],
    message: string,
  ): Promise<string | undefined> {
    if (commit === undefined) return undefined;
    const args = ['log', '-1', '--format=%H%n%B', commit, '--', ...paths.map(toLiteral)];
    const answer = await gitOutput({ folder: this.#top }, args);
    const [, name, found = ''] = /^(\w+)\n([\s\S]*)$/.exec(answer.toString()) ?? [];
    if (name === undefined || found.trim() !== message.trim()) return undefined;
    await this.#refreshIndex(paths, name);
    return name;
  }
}

/** A commit was made, and the user's index does not know yet. */
export class StaleIndexError extends Error {
  readonly commit: string;

  constructor(commit: string, cause: unknown) {
    super(ProviderError.isInstance(cause) ? cause.message : String(cause), { cause });
    this.commit = commit;
  }
}

/** Returns a path as a pattern of git that means this path alone. */
function toLiteral(path: BytePath): string {
  return `:(top,literal)${Buffer.from(path, 'latin1').toString()}`;
}
