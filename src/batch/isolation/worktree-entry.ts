import { readdirSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { askGit } from '../../base/git/run-git.js';
import { sleep } from '../../base/process/timing.js';
import { describeRefusal } from './git-output.js';
import { removeIfEmpty } from './marked-folder.js';
import { ReadWriteLock } from './read-write-lock.js';

/** Another process may be adding one to the same repository, and git does not wait for it. */
const RETRY_DELAYS_MS = [20, 50, 100, 250, 500];

/** Entries are made and removed one at a time: git trips over one that is half there. */
const entryLock = new ReadWriteLock();

export interface WorktreeEntryRequest {
  readonly top: string;
  readonly tree: string;
  readonly commit: string;
  readonly signal?: AbortSignal | undefined;
}

/** Has git add a worktree without any file yet. Gives back the folder in which git keeps what belongs to it alone. */
export async function addWorktreeEntry(request: WorktreeEntryRequest): Promise<string> {
  const { top, tree, commit, signal } = request;
  const args = ['worktree', 'add', '--quiet', '--detach', '--no-checkout', '--', tree, commit];
  const add = async (): Promise<string> => {
    for (let retry = 0; ; retry++) {
      const answer = await askGit({ folder: top }, args, { signal });
      if (answer.exitCode === 0) return readGitFile(join(tree, '.git'));
      const delay = RETRY_DELAYS_MS[retry];
      if (delay === undefined || signal?.aborted) throw describeRefusal(args, answer, signal);
      await sleep(delay);
    }
  };
  return entryLock.exclusive(add);
}

/**
 * Takes the worktree out of the list of the repository, by hand: `git worktree prune` would also forget those of
 * the person whose disk is not mounted just now.
 */
export function removeWorktreeEntry(commonDir: string, tree: string): Promise<void> {
  const folder = join(commonDir, 'worktrees');
  return entryLock.exclusive(async () => {
    for (const name of readNames(folder)) {
      const entry = join(folder, name);
      if (readEntryTarget(entry) === join(tree, '.git'))
        await rm(entry, { recursive: true, force: true });
    }
    removeIfEmpty(folder);
  });
}

/** `gitdir: PATH`, absolute or from the folder it is in. */
function readGitFile(file: string): string {
  const said = readFileSync(file, 'utf8').replace(/^gitdir: /, '');
  return resolve(file, '..', said.replace(/\n$/, ''));
}

function readEntryTarget(entry: string): string | undefined {
  try {
    return resolve(entry, readFileSync(join(entry, 'gitdir'), 'utf8').replace(/\n$/, ''));
  } catch {
    return undefined;
  }
}

function readNames(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
