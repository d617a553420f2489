import { readdirSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { askGit } from '../../base/git/run-git.js';
import { sleep } from '../../base/process/timing.js';
import { describeRefusal, gitOutput } from './git-output.js';
import { removeIfEmpty } from './marked-folder.js';
import { ReadWriteLock } from './read-write-lock.js';
import { type NewWorktreeEntry, writeWorktreeEntry } from './write-worktree-entry.js';

/** Delays between retries. Git fails at once if another process adds a worktree to the same repository. */
const RETRY_DELAYS_MS = [20, 50, 100, 250, 500];

/** Git adds entries one at a time, and none while one is removed, because git fails on an incomplete entry. */
const entryLock = new ReadWriteLock();

export interface WorktreeEntryRequest extends NewWorktreeEntry {
  readonly signal?: AbortSignal | undefined;
}

/** Adds a worktree without files. Returns its git folder, which holds its HEAD and index. */
export async function addWorktreeEntry(request: WorktreeEntryRequest): Promise<string> {
  const written = writeWorktreeEntry(request);
  if (written !== undefined) return written;
  const { tree, head, signal } = request;
  const gitDir = await entryLock.exclusive(() => addByGit(request));
  if (head === undefined) return gitDir;
  const move = ['update-ref', '--no-deref', '--create-reflog', '-m', 'begin', 'HEAD', head];
  await gitOutput({ folder: tree, gitDir }, move, { signal });
  return gitDir;
}

async function addByGit({
  repository,
  tree,
  commit,
  signal,
}: WorktreeEntryRequest): Promise<string> {
  const args = ['worktree', 'add', '--quiet', '--detach', '--no-checkout', '--', tree, commit];
  for (let retry = 0; ; retry++) {
    const answer = await askGit({ folder: repository.top }, args, { signal });
    if (answer.exitCode === 0) return readGitFile(join(tree, '.git'));
    const delay = RETRY_DELAYS_MS[retry];
    if (delay === undefined || signal?.aborted) throw describeRefusal(args, answer, signal);
    await sleep(delay);
  }
}

export interface RemovedEntry {
  readonly commonDir: string;
  /** Name of the entry, if this package has written the entry. */
  readonly name: string;
  readonly tree: string;
}

/**
 * Removes the worktree from the list of the repository by deleting its entry. `git worktree prune` would also remove
 * the user's worktrees on disks that are not mounted.
 */
export function removeWorktreeEntry({ commonDir, name, tree }: RemovedEntry): Promise<void> {
  const folder = join(commonDir, 'worktrees');
  return entryLock.exclusive(async () => {
    for (const existing of readNames(folder)) {
      const entry = join(folder, existing);
      // An entry of ours has no target yet if its creation was interrupted.
      if (existing === name || readEntryTarget(entry) === join(tree, '.git'))
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
