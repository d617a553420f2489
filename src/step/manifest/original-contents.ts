import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { AgentEvent } from '../../api/agent-event.js';
import {
  type FileState,
  fileStateOf,
  hasSameStats,
  WHOLE_FILE_BYTES,
} from '../../base/fs/fingerprint.js';
import { realpathOf } from '../../base/fs/paths.js';
import { statIfThere } from '../../base/fs/stats.js';

/**
 * Files as they were before the run. A call is announced before it is carried out, so its file can mostly be
 * read in time; one that has changed since the run began is not taken, and the session file has to tell.
 */
export class OriginalContents {
  readonly #workingDir: string;
  readonly #startedMs: number;
  readonly #images = new Map<string, FileState | null>();
  readonly #seen = new Set<string>();

  constructor(workingDir: string, startedMs: number) {
    this.#workingDir = workingDir;
    this.#startedMs = startedMs;
  }

  accept(event: AgentEvent): void {
    if (event.type !== 'tool-invocation' || event.category !== 'file-write') return;
    const named = event.input['file_path'];
    if (typeof named !== 'string' || named.includes('\0')) return;
    const path = realpathOf(resolve(this.#workingDir, named));
    if (this.#seen.has(path)) return;
    this.#seen.add(path);
    const image = this.#take(path);
    if (image !== undefined) this.#images.set(path, image);
  }

  /** By real path. `null`: there was no such file. Undefined: not known. */
  get(path: string): FileState | null | undefined {
    return this.#images.get(path);
  }

  #take(path: string): FileState | null | undefined {
    try {
      const stats = statIfThere(path);
      if (stats === undefined) return null;
      const isUntouched = stats.mtimeMs < this.#startedMs && stats.ctimeMs < this.#startedMs;
      if (!stats.isFile() || !isUntouched || stats.size > WHOLE_FILE_BYTES) return undefined;
      const content = readFileSync(path);
      return hasSameStats(stats, statSync(path)) ? fileStateOf(content) : undefined;
    } catch {
      return undefined;
    }
  }
}
