import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { AgentEvent } from '../../api/agent-event.js';
import {
  type FileState,
  fileStateOf,
  hasSameStats,
  WHOLE_FILE_BYTES,
} from '../../base/fs/fingerprint.js';
import { realpathOf } from '../../base/fs/paths.js';
import { readRegularFileSync } from '../../base/fs/regular-file.js';
import { statIfThere } from '../../base/fs/stats.js';
import type { WallClockMark } from '../wall-clock-mark.js';

/**
 * Contents of files before the step. The event of a tool call comes before the tool runs, so its file can usually be
 * read in time. A file that has changed since the step began is not read; the session file has its old content.
 */
export class OriginalContents {
  readonly #workingDir: string;
  readonly #started: Pick<WallClockMark, 'sinceMs'>;
  readonly #states = new Map<string, FileState | null>();
  readonly #seen = new Set<string>();

  constructor(workingDir: string, started: Pick<WallClockMark, 'sinceMs'>) {
    this.#workingDir = workingDir;
    this.#started = started;
  }

  /** Reads the file that a call is about to write, once per file. Some agents name the file in a later event of the call. */
  accept(event: AgentEvent): void {
    const isCall = event.type === 'tool-invocation' || event.type === 'tool-update';
    if (!isCall || event.category !== 'file-write') return;
    const named = event.input['file_path'];
    if (typeof named !== 'string' || named.includes('\0')) return;
    const path = realpathOf(resolve(this.#workingDir, named));
    if (this.#seen.has(path)) return;
    this.#seen.add(path);
    const state = this.#read(path);
    if (state !== undefined) this.#states.set(path, state);
  }

  /** Returns the old state by real path. `null`: the file did not exist. Undefined: not known. */
  get(path: string): FileState | null | undefined {
    return this.#states.get(path);
  }

  #read(path: string): FileState | null | undefined {
    try {
      const stats = statIfThere(path);
      if (stats === undefined) return null;
      const { sinceMs } = this.#started;
      const isUntouched = stats.mtimeMs < sinceMs && stats.ctimeMs < sinceMs;
      if (!stats.isFile() || !isUntouched || stats.size > WHOLE_FILE_BYTES) return undefined;
      const content = readRegularFileSync(path, WHOLE_FILE_BYTES);
      return hasSameStats(stats, statSync(path)) ? fileStateOf(content) : undefined;
    } catch {
      return undefined;
    }
  }
}
