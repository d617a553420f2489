const NEWLINE = 10;
const CARRIAGE_RETURN = 13;
const FIRST_CAPACITY = 64 * 1024;
/** Largest buffer that is kept between lines. A buffer that grew for one giant line is released. */
const KEPT_CAPACITY = 1024 * 1024;
/** Longest accepted line. Stays below the longest string of V8. */
const DEFAULT_MAX_LINE_BYTES = 256 * 1024 * 1024;

export interface LineFramerOptions {
  readonly onLine: (line: string) => void;
  /** Called once for each line longer than `maxLineBytes`. The line itself is dropped. */
  readonly onOverlong?: ((bytes: number) => void) | undefined;
  readonly maxLineBytes?: number | undefined;
}

/**
 * Splits bytes into lines. The time is linear in the input for any chunk sizes, because an unfinished line is only
 * appended to, never scanned or copied again. Callers may reuse a chunk after `push()`.
 */
export class LineFramer {
  readonly #onLine: (line: string) => void;
  readonly #onOverlong: (bytes: number) => void;
  readonly #maxLineBytes: number;
  #pending = Buffer.allocUnsafe(0);
  #pendingBytes = 0;
  #droppedBytes = 0;

  constructor(options: LineFramerOptions) {
    this.#onLine = options.onLine;
    this.#onOverlong = options.onOverlong ?? (() => {});
    this.#maxLineBytes = options.maxLineBytes ?? DEFAULT_MAX_LINE_BYTES;
  }

  push(chunk: Buffer): void {
    let start = 0;
    let newline = chunk.indexOf(NEWLINE);
    while (newline !== -1) {
      if (this.#pendingBytes === 0 && this.#droppedBytes === 0) {
        this.#emit(chunk, start, newline);
      } else {
        this.#append(chunk.subarray(start, newline));
        this.#emitPending();
      }
      start = newline + 1;
      newline = chunk.indexOf(NEWLINE, start);
    }
    if (start < chunk.length) this.#append(chunk.subarray(start));
  }

  /** Emits the last line if it has no newline. True if there was such a line. */
  end(): boolean {
    const isOpen = this.#pendingBytes > 0 || this.#droppedBytes > 0;
    if (isOpen) this.#emitPending();
    return isOpen;
  }

  #emitPending(): void {
    if (this.#droppedBytes > 0) this.#onOverlong(this.#droppedBytes);
    else this.#emit(this.#pending, 0, this.#pendingBytes);
    this.#pendingBytes = 0;
    this.#droppedBytes = 0;
    if (this.#pending.length > KEPT_CAPACITY) this.#pending = Buffer.allocUnsafe(0);
  }

  #emit(buffer: Buffer, start: number, end: number): void {
    const last = end > start && buffer[end - 1] === CARRIAGE_RETURN ? end - 1 : end;
    if (last === start) return;
    if (last - start > this.#maxLineBytes) this.#onOverlong(last - start);
    else this.#onLine(buffer.toString('utf8', start, last));
  }

  #append(bytes: Buffer): void {
    const needed = this.#pendingBytes + bytes.length;
    // Allow one byte more: a carriage return at the end does not count.
    if (this.#droppedBytes > 0 || needed > this.#maxLineBytes + 1) {
      this.#droppedBytes += this.#pendingBytes + bytes.length;
      this.#pendingBytes = 0;
      return;
    }
    if (needed > this.#pending.length) {
      const grown = Buffer.allocUnsafe(Math.max(needed, this.#pending.length * 2, FIRST_CAPACITY));
      this.#pending.copy(grown, 0, 0, this.#pendingBytes);
      this.#pending = grown;
    }
    bytes.copy(this.#pending, this.#pendingBytes);
    this.#pendingBytes = needed;
  }
}
