import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Seal } from '../state/seal.js';
import type { LedgerEntry } from './ledger-entry.js';
import { formatLedgerLine } from './ledger-line.js';
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

export interface LedgerFileOptions {
  readonly path: string;
  readonly seal: Seal;
  readonly batch: string;
  /** Fencing token of this run. */
  readonly token: number;
  /** Number of the next line. */
  readonly nextSeq: number;
  readonly endsWithNewline: boolean;
  /** Throws if this run may not write any more, because another one has taken over the ledger. */
  readonly check?: (() => Promise<void>) | undefined;
}

/** Ledger in a file. Each entry is signed, appended and synced: a step reported as done stays done after a crash. */
export class LedgerFile implements Ledger {
  readonly #file: FileHandle;
  readonly #options: LedgerFileOptions;
  #seq: number;
  #lines: string[] = [];
  #writing: Promise<void> | undefined;
  /** True if the file may end in the middle of a line: the next line then begins with a newline. */
  #isTorn: boolean;

  static async open(options: LedgerFileOptions): Promise<LedgerFile> {
    await mkdir(dirname(options.path), { recursive: true });
    return new LedgerFile(options, await open(options.path, 'a', PRIVATE));
  }

  private constructor(options: LedgerFileOptions, file: FileHandle) {
    this.#options = options;
    this.#file = file;
    this.#seq = options.nextSeq;
    this.#isTorn = !options.endsWithNewline;
  }

  append(entry: LedgerEntry): Promise<void> {
    const { batch, token, seal } = this.#options;
    this.#lines.push(formatLedgerLine({ batch, token, seq: this.#seq++, entry }, seal));
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
      await this.#options.check?.();
      const start = this.#isTorn ? '\n' : '';
      // A write that fails may have written a part of its lines.
      this.#isTorn = true;
      await this.#file.appendFile(start + lines.join(''));
      this.#isTorn = false;
      await this.#file.datasync();
    } catch (error) {
      throw ledgerProblem(this.#options.path, error);
    }
  }
}
