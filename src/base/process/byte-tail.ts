const NEWLINE = 10;

/** Keeps the last bytes of an output of any length. */
export class ByteTail {
  readonly #maxBytes: number;
  #pieces: Buffer[] = [];
  #bytes = 0;
  #isCut = false;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  push(piece: Buffer): void {
    this.#pieces.push(piece);
    this.#bytes += piece.length;
    // Cut at twice the size, so that each byte is copied about once and not with every piece.
    if (this.#bytes > 2 * this.#maxBytes) this.#cut();
  }

  clear(): void {
    this.#pieces = [];
    this.#bytes = 0;
  }

  /** Returns the kept bytes as text. If earlier bytes were dropped, the text begins with a whole line. */
  toString(): string {
    if (this.#bytes > this.#maxBytes) this.#cut();
    const kept = Buffer.concat(this.#pieces);
    return kept.toString('utf8', this.#isCut ? kept.indexOf(NEWLINE) + 1 : 0);
  }

  #cut(): void {
    const kept = Buffer.from(Buffer.concat(this.#pieces).subarray(-this.#maxBytes));
    this.#pieces = [kept];
    this.#bytes = kept.length;
    this.#isCut = true;
  }
}
