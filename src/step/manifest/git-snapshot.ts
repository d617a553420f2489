import { join, relative } from 'node:path';
import { type FileState, readFileState } from '../../base/fs/fingerprint.js';
import { toSlashes } from '../../base/fs/paths.js';
import { GitRepository, type RepositoryStatus } from './git-repository.js';
import { listWorkspace, type WorkspaceListing } from './list-workspace.js';
import { takeScanSnapshot } from './scan-snapshot.js';
import type { WorkspaceChange, WorkspaceSnapshot } from './workspace-change.js';

/** Most old contents that are fetched, because each one is a call of git. */
const MOST_OLD_CONTENTS = 200;

type OldStates = ReadonlyMap<string, FileState | null>;
type Scans = ReadonlyMap<string, WorkspaceSnapshot>;

/**
 * Takes a snapshot of a folder in a repository. One call of git finds the files that differ from the commit, even among
 * 10,000. Only these are read, before and after the step, and the nested repositories, whose files git does not list.
 * Returns undefined if git does not work here.
 */
export async function takeGitSnapshot(
  root: string,
  signal?: AbortSignal,
): Promise<WorkspaceSnapshot | undefined> {
  const repository = await GitRepository.open(root, signal);
  const status = await repository?.readStatus(signal).catch(() => undefined);
  // After an abort git was killed, which looks like a failure of git.
  signal?.throwIfAborted();
  if (repository === undefined || status === undefined) return undefined;
  const before = await readStates(repository, status.dirty.readable, signal);
  const scans = await scanNested(repository, status, signal);
  return {
    changes: async (limit) => {
      const now = await repository.readStatus(limit);
      const differences = await repository.listDifferences(status.head, now.head, limit);
      const fresh = await walkNewRepositories(repository, now, scans, limit);
      const candidates = [
        ...before.keys(),
        ...now.dirty.readable,
        ...differences.readable,
        ...fresh.paths,
      ].filter((path) => !isBelow(scans, path));
      const changes = await compare(repository, status.head, before, new Set(candidates), limit);
      const inner = await Promise.all([...scans.values()].map((scan) => scan.changes(limit)));
      const unreadable = new Set(
        [status.dirty, status.nested, now.dirty, now.nested, differences].flatMap(
          (names) => names.unreadable,
        ),
      );
      const unnamed = [...unreadable].map((name) => toObstacle(join(repository.top, name)));
      return [...changes, ...inner.flat(), ...fresh.obstacles, ...unnamed];
    },
  };
}

async function readStates(
  { top }: GitRepository,
  paths: readonly string[],
  signal: AbortSignal | undefined,
): Promise<Map<string, FileState | null>> {
  const states = new Map<string, FileState | null>();
  for (const path of paths) {
    const state = await readFileState(join(top, path), signal);
    states.set(path, state ?? null);
  }
  return states;
}

async function scanNested(
  { top }: GitRepository,
  { nested }: RepositoryStatus,
  signal: AbortSignal | undefined,
): Promise<Map<string, WorkspaceSnapshot>> {
  const scans = new Map<string, WorkspaceSnapshot>();
  for (const folder of nested.readable) {
    scans.set(folder, await takeScanSnapshot(join(top, folder), signal));
  }
  return scans;
}

/** Lists files of repositories created since the snapshot. Tracked files are left out: git has listed them. */
async function walkNewRepositories(
  repository: GitRepository,
  { nested, tracked }: RepositoryStatus,
  scans: Scans,
  limit: AbortSignal | undefined,
): Promise<WorkspaceListing> {
  const { top, folder } = repository;
  const folders = (await repository.hasLostFolder(limit))
    ? [folder]
    : nested.readable.filter((path) => !scans.has(path)).map((path) => join(top, path));
  const lists = await Promise.all(folders.map((path) => listWorkspace(path, top, limit)));
  const paths = lists.flatMap(({ paths }) => paths.map((path) => toSlashes(relative(top, path))));
  return {
    paths: paths.filter((path) => !tracked.has(path)),
    obstacles: lists.flatMap(({ obstacles }) => obstacles),
  };
}

function isBelow(scans: Scans, path: string): boolean {
  for (const folder of scans.keys()) if (path.startsWith(`${folder}/`)) return true;
  return false;
}

async function compare(
  repository: GitRepository,
  head: string | undefined,
  before: OldStates,
  candidates: ReadonlySet<string>,
  limit: AbortSignal | undefined,
): Promise<WorkspaceChange[]> {
  const changes: WorkspaceChange[] = [];
  const committed = await repository.listCommitted(head, limit);
  for (const path of candidates) {
    const mayFetch = changes.length < MOST_OLD_CONTENTS;
    const readCommitted = async (): Promise<FileState | null | undefined> => {
      if (head === undefined || !committed.has(path)) return null;
      return mayFetch ? repository.readCommitted(head, path, limit) : undefined;
    };
    const known = before.get(path);
    const old = known === undefined ? await readCommitted() : known;
    limit?.throwIfAborted();
    const now = await readFileState(join(repository.top, path), limit);
    if (old === null ? now === undefined : old?.sha256 === now?.sha256) continue;
    changes.push({ path: join(repository.top, path), before: old });
  }
  return changes;
}

function toObstacle(path: string): WorkspaceChange {
  return { path, before: undefined, obstacle: 'name' };
}
