import type { Stats } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { listFiles } from '../workspace/list-files.js';
import { lstatIfThere } from '../workspace/stats.js';
import { type FileState, hasSameStats, readFileState } from './fingerprint.js';
import type { WorkspaceChange, WorkspaceSnapshot } from './workspace-change.js';

const IGNORE_FILES = ['.gitignore', '.geminiignore'];
/** Files are hashed until this much has been read; the rest are known by size and times alone. */
const HASH_BUDGET_BYTES = 256 * 1024 * 1024;
const LARGEST_HASHED_BYTES = 4 * 1024 * 1024;
const FILES_PER_TURN = 200;

interface KnownFile {
  readonly stats: Stats;
  readonly sha256: string | undefined;
}

/** For a folder that is no repository: every file by size, times and, within a budget, hash. */
export async function takeScanSnapshot(
  root: string,
  signal?: AbortSignal,
): Promise<WorkspaceSnapshot> {
  const before = await scan(root, signal);
  return {
    changes: async () => {
      const changes: WorkspaceChange[] = [];
      const paths = await listFiles(root, IGNORE_FILES);
      for (const [index, path] of paths.entries()) {
        if (index % FILES_PER_TURN === 0) await nextTurn();
        const change = await compare(path, before.get(path));
        if (change !== undefined) changes.push(change);
      }
      const present = new Set(paths);
      for (const [path, known] of before) {
        if (!present.has(path) && !exists(path)) changes.push({ path, before: stateOf(known) });
      }
      return changes;
    },
  };
}

async function scan(
  root: string,
  signal: AbortSignal | undefined,
): Promise<Map<string, KnownFile>> {
  const files = new Map<string, KnownFile>();
  let budget = HASH_BUDGET_BYTES;
  for (const [index, path] of (await listFiles(root, IGNORE_FILES, signal)).entries()) {
    if (index % FILES_PER_TURN === 0) await nextTurn();
    signal?.throwIfAborted();
    const stats = lstatIfThere(path);
    if (stats === undefined) continue;
    const isHashed = stats.size <= Math.min(budget, LARGEST_HASHED_BYTES);
    if (isHashed) budget -= stats.size;
    files.set(path, { stats, sha256: isHashed ? (await readFileState(path))?.sha256 : undefined });
  }
  return files;
}

async function compare(
  path: string,
  known: KnownFile | undefined,
): Promise<WorkspaceChange | undefined> {
  const stats = lstatIfThere(path);
  if (stats === undefined) return undefined;
  if (known === undefined) return { path, before: null };
  if (hasSameStats(known.stats, stats)) return undefined;
  const now = await readFileState(path);
  return now?.sha256 === known.sha256 ? undefined : { path, before: stateOf(known) };
}

function stateOf({ stats, sha256 }: KnownFile): FileState | undefined {
  return sha256 === undefined ? undefined : { bytes: stats.size, sha256 };
}

/** A folder in its place does not count. */
function exists(path: string): boolean {
  return lstatIfThere(path)?.isDirectory() === false;
}
