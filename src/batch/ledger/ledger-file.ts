import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { LedgerEntry } from './ledger-entry.js';
import { ledgerProblem } from './ledger-problem.js';

const PRIVATE = 0o600;

/** Log of a batch: what happened to its steps. */
export interface Ledger {
  /** Writes an entry. Resolves when the entry is synced to the disk. */
  append(entry: LedgerEntry): Promise<void>;
  close(): Promise<void>;
}

/** Ledger that stores nothing, for a batch without an output folder: such a batch cannot be resumed. */
export const memoryLedger: Ledger = { append: async () => {}, close: async () => {} };

/** Ledger in a file. Each entry is appended and synced, so that a step reported as done stays done after a crash. */
export class LedgerFile implements Ledger {
  readonly #file: FileHandle;
  readonly #path: string;
  #lines: string[] = [];
  #writing: Promise<void> | undefined;

  static async open(path: string, endsWithNewline: boolean): Promise<LedgerFile> {
    await mkdir(dirname(path), { recursive: true });
    const file = await open(path, 'a', PRIVATE);
    try {
      // Ends a torn last line, so that the next entry gets its own line.
      if (!endsWithNewline) await file.appendFile('\n');
      return new LedgerFile(path, file);
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  private constructor(path: string, file: FileHandle) {
    this.#path = path;
    this.#file = file;
  }

  append(entry: LedgerEntry): Promise<void> {
    this.#lines.push(`${JSON.stringify(entry)}\n`);
    // Entries that arrive during a write share the next one, and its sync.
    this.#writing = (this.#writing ?? Promise.resolve()).then(() => this.#write());
    return this.#writing;
  }

  async close(): Promise<void> {
    await this.#writing?.catch(() => {});
    await this.#file.close();
  }

  async #write(): Promise<void> {
    const lines = this.#lines.splice(0);
    if (lines.length === 0) return;
    try {
      await this.#file.appendFile(lines.join(''));
      await this.#file.datasync();
    } catch (error) {
      throw ledgerProblem(this.#path, error);
    }
  }
}
