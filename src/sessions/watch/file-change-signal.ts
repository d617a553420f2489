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
 * Signals that a file may have changed: after a notification of the system, and after each poll interval, because not
 * every file system sends notifications. The folder is watched instead of the file, so that a replaced file is seen.
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
    // Wait a moment: a single write often causes several events, which count as one change.
    if (this.#alarm.isRung) await sleepUnless(debounceMs, signal);
    this.#alarm.reset();
  }

  /** Watches the folder anew. Needed after the folder was removed, because the old watch does not see a new folder. */
  renew(): void {
    this.close();
    this.#watcher = undefined;
  }

  close(): void {
    this.#watcher?.close();
  }

  /** Watches the folder if possible. Fails if the folder does not exist yet or the system has no watches left. */
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
