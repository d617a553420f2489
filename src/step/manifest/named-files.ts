import { readFileSync, type Stats } from 'node:fs';
import { join, resolve, sep } from 'node:path';
import type { ToolCall } from '../../agents/events/turn-fold.js';
import type { AgentEvent } from '../../api/agent-event.js';
import {
  type FileState,
  fileStateOf,
  hasSameStats,
  readFileState,
} from '../../base/fs/fingerprint.js';
import { findRemoteMounts } from '../../base/fs/mounts.js';
import { isInside, realpathOf } from '../../base/fs/paths.js';
import { lstatIfThere } from '../../base/fs/stats.js';
import { findCommandPaths } from './command-paths.js';
import type { WorkspaceChange } from './workspace-change.js';

/** Size up to which the old content is kept. */
const LARGEST_KEPT_BYTES = 1024 * 1024;
const MOST_FILES = 2_000;
/** Folders of the system whose files are no files of the user. */
const SYSTEM = /^\/(?:proc\/|sys\/|dev\/(?!shm\/))/;

export interface NamedFilesRequest {
  readonly workingDir: string;
  readonly workspaceDirs: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

interface NamedFile {
  readonly callIds: Set<string>;
  /** Stats when the command was announced; undefined if there was no file. */
  readonly stats: Stats | undefined;
  /** Old state. `null`: there was no file. Undefined: not known. */
  readonly before: FileState | null | undefined;
}

/**
 * Files outside of the workspace that shell commands name. The workspace is compared as a whole; outside of it only the
 * files that a command line names can be compared. The event of a call comes before the call runs.
 */
export class NamedFiles {
  readonly #request: NamedFilesRequest;
  readonly #started: { readonly sinceMs: number };
  readonly #files = new Map<string, NamedFile>();

  constructor(request: NamedFilesRequest, started: { readonly sinceMs: number }) {
    this.#request = request;
    this.#started = started;
  }

  /** Reads the files that the command of a call names. Some agents name the command in a later event of the call. */
  accept(event: AgentEvent): void {
    const isCall = event.type === 'tool-invocation' || event.type === 'tool-update';
    if (!isCall || event.kind !== 'execute') return;
    const { command, dir_path: folder } = event.input;
    if (typeof command !== 'string') return;
    const { workingDir, workspaceDirs, env } = this.#request;
    const at = typeof folder === 'string' ? resolve(workingDir, folder) : workingDir;
    const paths = [...findCommandPaths({ command, workingDir: at, env })];
    // A remote file system may not answer, and would stop this process.
    const remote = findRemoteMounts(paths);
    for (const named of paths) {
      if (remote.some((mount) => named === mount || named.startsWith(join(mount, sep)))) continue;
      const path = realpathOf(named);
      if (SYSTEM.test(path) || workspaceDirs.some((dir) => isInside(dir, path))) continue;
      const known = this.#files.get(path);
      if (known !== undefined) known.callIds.add(event.callId);
      else if (this.#files.size < MOST_FILES) this.#add(path, event.callId);
    }
  }

  /** Lists the files that have changed since they were named by a call that was not refused. */
  async changes(calls: readonly ToolCall[], signal?: AbortSignal): Promise<WorkspaceChange[]> {
    const ran = new Set(calls.filter(({ outcome }) => outcome !== 'failed').map(({ id }) => id));
    const changes: WorkspaceChange[] = [];
    for (const [path, { callIds, stats, before }] of this.#files) {
      const now = lstatIfThere(path);
      if (![...callIds].some((id) => ran.has(id)) || (now ?? stats) === undefined) continue;
      if (now !== undefined && !now.isFile() && !now.isSymbolicLink()) continue;
      const isSeenInTime = stats !== undefined && !this.#isTouched(stats);
      if (isSeenInTime && now !== undefined && hasSameStats(now, stats)) continue;
      // A file that cannot be read before the abort counts as changed.
      const after = before && now && (await readFileState(path, signal).catch(() => undefined));
      if (after === undefined || after === null || after.sha256 !== before?.sha256)
        changes.push({ path, before });
    }
    return changes;
  }

  #add(path: string, callId: string): void {
    const stats = lstatIfThere(path);
    if (stats?.isDirectory()) return;
    this.#files.set(path, { callIds: new Set([callId]), stats, before: this.#read(path, stats) });
  }

  #read(path: string, stats: Stats | undefined): FileState | null | undefined {
    if (stats === undefined) return null;
    // The event may arrive after the command has run. A file that was born since the start is new.
    if (this.#isTouched(stats))
      return stats.birthtimeMs >= this.#started.sinceMs ? null : undefined;
    if (!stats.isFile() || stats.size > LARGEST_KEPT_BYTES) return undefined;
    try {
      return fileStateOf(readFileSync(path));
    } catch {
      return undefined;
    }
  }

  /** True if the file has changed since the step began. */
  #isTouched(stats: Stats | undefined): boolean {
    return stats !== undefined && Math.max(stats.mtimeMs, stats.ctimeMs) >= this.#started.sinceMs;
  }
}
