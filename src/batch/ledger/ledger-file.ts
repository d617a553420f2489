import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { LedgerEntry } from './ledger-entry.js';
import { ledgerProblem } from './ledger-problem.js';

const PRIVATE = 0o600;

/** Where a batch writes down what happens to its steps. */
export interface Ledger {
  /** Resolves when it is safe on the disk. */
  append(entry: LedgerEntry): Promise<void>;
  close(): Promise<void>;
}

/** For a batch that nobody wants to resume. */
export const memoryLedger: Ledger = { append: async () => {}, close: async () => {} };

/** Append-only, and synced: what has been reported as done stays done, whatever happens next. */
export class LedgerFile implements Ledger {
  readonly #file: FileHandle;
  readonly #path: string;
  #lines: string[] = [];
  #writing: Promise<void> | undefined;

  static async open(path: string, endsWithNewline: boolean): Promise<LedgerFile> {
    await mkdir(dirname(path), { recursive: true });
    const file = await open(path, 'a', PRIVATE);
    try {
      // A torn line must not swallow the next one.
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
    // Whoever comes while a write is under way shares the next one with all the others who do.
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
