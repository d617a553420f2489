import { type FSWatcher, watch } from 'node:fs';
import { basename, dirname } from 'node:path';

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
  #isRung = false;
  #wake: (() => void) | undefined;

  constructor(file: string, options: FileChangeSignalOptions) {
    this.#file = file;
    this.#options = options;
  }

  /** Resolves at the next change, poll or abort. */
  async next(): Promise<void> {
    this.#watchFolder();
    if (!this.#isRung)
      await this.#sleep(this.#options.pollIntervalMs, (wake) => (this.#wake = wake));
    this.#wake = undefined;
    // What follows at once belongs to it.
    if (this.#isRung) await this.#sleep(this.#options.debounceMs, () => {});
    this.#isRung = false;
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
        if (changed === null || changed === name) this.#ring();
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

  #ring(): void {
    this.#isRung = true;
    this.#wake?.();
  }

  async #sleep(ms: number, onWakeable: (wake: () => void) => void): Promise<void> {
    const { signal } = this.#options;
    if (signal.aborted) return;
    await new Promise<void>((resolve) => {
      const wake = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', wake);
        resolve();
      };
      const timer = setTimeout(wake, ms);
      signal.addEventListener('abort', wake, { once: true });
      onWakeable(wake);
    });
  }
}
