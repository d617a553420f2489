import type { Stats } from 'node:fs';
import { type FileState, hasSameStats, readFileState } from '../../base/fs/fingerprint.js';
import { lstatIfThere } from '../../base/fs/stats.js';
import { createEventLoopYield } from '../../base/process/yield-to-event-loop.js';
import { findRulesFolder, listWorkspace } from './list-workspace.js';
import type { WorkspaceChange, WorkspaceSnapshot } from './workspace-change.js';

/** Bytes that are hashed at most. Files beyond this budget are compared by size and times alone. */
const HASH_BUDGET_BYTES = 256 * 1024 * 1024;
const FILES_PER_YIELD = 200;
/** Size from which hashing one file yields to the event loop. */
const LARGE_BYTES = 1024 * 1024;

interface KnownFile {
  readonly stats: Stats;
  readonly sha256: string | undefined;
}

/** Takes a snapshot of a folder without git: size, times and, within a budget, hash of every file. */
export async function takeScanSnapshot(
  root: string,
  signal?: AbortSignal,
): Promise<WorkspaceSnapshot> {
  const rulesFrom = findRulesFolder(root);
  const listed = await listWorkspace(root, rulesFrom, signal);
  const before = await scan(listed.paths, signal);
  return {
    changes: async (limit) => {
      const changes: WorkspaceChange[] = [];
      const { paths, obstacles } = await listWorkspace(root, rulesFrom, limit);
      const eventLoop = createEventLoopYield({ every: FILES_PER_YIELD, signal: limit });
      for (const path of paths) {
        await eventLoop.spend(1);
        const change = await compare(path, before.get(path), limit);
        if (change !== undefined) changes.push(change);
      }
      const present = new Set(paths);
      for (const [path, known] of before) {
        if (!present.has(path) && !fileExists(path)) changes.push({ path, before: stateOf(known) });
      }
      const reported = new Set(obstacles.map(({ path }) => path));
      return [
        ...changes,
        ...obstacles,
        ...listed.obstacles.filter(({ path }) => !reported.has(path)),
      ];
    },
  };
}

async function scan(
  paths: readonly string[],
  signal: AbortSignal | undefined,
): Promise<Map<string, KnownFile>> {
  const found: { readonly path: string; readonly stats: Stats }[] = [];
  const eventLoop = createEventLoopYield({ every: FILES_PER_YIELD, signal });
  for (const path of paths) {
    await eventLoop.spend(1);
    const stats = lstatIfThere(path);
    if (stats !== undefined) found.push({ path, stats });
  }
  // Hash small files first: one large file must not use up the budget of thousands of others.
  found.sort((a, b) => a.stats.size - b.stats.size);
  const files = new Map<string, KnownFile>();
  let budget = HASH_BUDGET_BYTES;
  for (const { path, stats } of found) {
    await eventLoop.spend(stats.size >= LARGE_BYTES ? FILES_PER_YIELD : 1);
    budget -= stats.size;
    const state = budget < 0 ? undefined : await readFileState(path, signal);
    files.set(path, { stats, sha256: state?.sha256 });
  }
  return files;
}

/** Compares one file. Without an old hash, changed times count as a change: the opposite cannot be proved. */
async function compare(
  path: string,
  known: KnownFile | undefined,
  limit: AbortSignal | undefined,
): Promise<WorkspaceChange | undefined> {
  const stats = lstatIfThere(path);
  if (stats === undefined) return undefined;
  if (known === undefined) return { path, before: null };
  if (hasSameStats(known.stats, stats)) return undefined;
  if (known.sha256 === undefined) return { path, before: undefined };
  const now = await readFileState(path, limit);
  return now?.sha256 === known.sha256 ? undefined : { path, before: stateOf(known) };
}

function stateOf({ stats, sha256 }: KnownFile): FileState | undefined {
  return sha256 === undefined ? undefined : { bytes: stats.size, sha256 };
}

/** True if a file exists at the path. A folder does not count. */
function fileExists(path: string): boolean {
  return lstatIfThere(path)?.isDirectory() === false;
}
