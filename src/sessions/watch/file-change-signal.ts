import { type FSWatcher, watch } from 'node:fs';
import { basename, dirname } from 'node:path';
import { Alarm } from '../../base/process/alarm.js';
import { sleepUnless } from '../../base/process/timing.js';

export interface FileChangeSignalOptions {
  readonly pollIntervalMs: number;
  readonly debounceMs: number;
  readonly signal: AbortSignal;
}

/**
 * Rings when a file may have changed: when the system says so, and in any case every now and then, since not
 * every file system says it. The folder is watched and not the file, so that a new file in its place is seen.
 */
export class FileChangeSignal {
  readonly #file: string;
  readonly #options: FileChangeSignalOptions;
  #watcher: FSWatcher | undefined;
  readonly #alarm = new Alarm();

  constructor(file: string, options: FileChangeSignalOptions) {
    this.#file = file;
    this.#options = options;
  }

  /** Resolves at the next change, poll or abort. */
  async next(): Promise<void> {
    const { pollIntervalMs, debounceMs, signal } = this.#options;
    this.#watchFolder();
    await this.#alarm.wait(pollIntervalMs, signal);
    // One write often causes several events in a row: they count as one change.
    if (this.#alarm.isRung) await sleepUnless(debounceMs, signal);
    this.#alarm.reset();
  }

  /** For a folder that may have been removed and made again, of which the old watch hears nothing. */
  renew(): void {
    this.close();
    this.#watcher = undefined;
  }

  close(): void {
    this.#watcher?.close();
  }

  /** The folder may come into being later, and the system may have no watch left for us. */
  #watchFolder(): void {
    if (this.#watcher !== undefined) return;
    const name = basename(this.#file);
    try {
      const watcher = watch(dirname(this.#file), (_event, changed) => {
        if (changed === null || changed === name) this.#alarm.ring();
      });
      watcher.on('error', () => {
        watcher.close();
        this.#watcher = undefined;
      });
      this.#watcher = watcher;
    } catch {
      this.#watcher = undefined;
    }
  }
}
