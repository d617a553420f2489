import { createReadStream } from 'node:fs';
import { statIfThere } from '../../base/fs/stats.js';
import { LineFramer } from '../../base/ndjson/line-framer.js';
import type { Seal } from '../state/seal.js';
import type { LedgerEntry } from './ledger-entry.js';
import { type LedgerLine, parseLedgerLine } from './ledger-line.js';

/**
 * Reads the entries of a ledger while a batch writes it. Only signed lines count. A line of a run that has lost its lease
 * to a later one is left out.
 */
export class LedgerTail {
  readonly #file: string;
  readonly #framer: LineFramer;
  #position = 0;
  #lines: LedgerLine[] = [];
  #last: LedgerLine | undefined;

  constructor(file: string, seal: Seal) {
    this.#file = file;
    this.#framer = new LineFramer({
      onLine: (text) => {
        const line = parseLedgerLine(text, seal);
        if (typeof line !== 'string') this.#lines.push(line);
      },
    });
  }

  /** Returns the entries that were added since the last call. */
  async read(): Promise<readonly LedgerEntry[]> {
    const size = statIfThere(this.#file)?.size ?? 0;
    if (size > this.#position) {
      const range = { start: this.#position, end: size - 1 };
      for await (const chunk of createReadStream(this.#file, range)) {
        this.#position += chunk.length;
        this.#framer.push(chunk);
      }
    }
    return this.#lines.splice(0).flatMap((line) => {
      const last = this.#last;
      const isStale =
        last !== undefined &&
        (line.token < last.token || (line.token === last.token && line.seq <= last.seq));
      if (isStale) return [];
      this.#last = line;
      return [line.entry];
    });
  }
}
