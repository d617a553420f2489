import { readdirSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { askGit } from '../../base/git/run-git.js';
import { sleep } from '../../base/process/timing.js';
import { describeRefusal } from './git-output.js';
import { removeIfEmpty } from './marked-folder.js';
import { ReadWriteLock } from './read-write-lock.js';

/** Delays between retries. Git fails at once if another process adds a worktree to the same repository. */
const RETRY_DELAYS_MS = [20, 50, 100, 250, 500];

/** Entries are created and removed one at a time, because git fails on an incomplete entry. */
const entryLock = new ReadWriteLock();

export interface WorktreeEntryRequest {
  readonly top: string;
  readonly tree: string;
  readonly commit: string;
  readonly signal?: AbortSignal | undefined;
}

/** Adds a worktree without files. Returns its git folder, which holds its HEAD and index. */
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
 * Removes the worktree from the list of the repository by deleting its entry. `git worktree prune` would also remove
 * the user's worktrees on disks that are not mounted.
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

/** Reads a `.git` file, `gitdir: PATH`. The path is absolute or relative to the folder of the file. */
function readGitFile(file: string): string {
  const content = readFileSync(file, 'utf8').replace(/^gitdir: /, '');
  return resolve(file, '..', content.replace(/\n$/, ''));
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
