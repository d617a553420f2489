const NEWLINE = 10;
const CARRIAGE_RETURN = 13;
const FIRST_CAPACITY = 64 * 1024;
/** A buffer that one giant line has grown is let go again. */
const KEPT_CAPACITY = 1024 * 1024;
/** Below the longest string V8 can hold. */
const DEFAULT_MAX_LINE_BYTES = 256 * 1024 * 1024;

export interface LineFramerOptions {
  readonly onLine: (line: string) => void;
  /** Called once for a line that is longer than `maxLineBytes`; the line itself is dropped. */
  readonly onOverlong?: ((bytes: number) => void) | undefined;
  readonly maxLineBytes?: number | undefined;
}

/**
 * Cuts bytes into lines, in time linear in the input whatever the chunks: the unfinished line is never
 * scanned or copied again, only appended to. Chunks may be reused by the caller.
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

  /** The last line may lack its newline: true where it did. */
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
    // One more for a carriage return, which does not count.
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
