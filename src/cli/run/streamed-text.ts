import type { Printer } from '../output/output.js';

/** A high surrogate at the end of a piece: its other half is in the next piece. */
const HALF_PAIR = /[\ud800-\udbff]$/;

/** Prints the answer of the model to stdout, piece by piece, as it comes. */
export class StreamedText {
  readonly #printer: Pick<Printer, 'writeExact'>;
  #text = '';
  #held = '';
  #isNewTurn = false;

  constructor(printer: Pick<Printer, 'writeExact'>) {
    this.#printer = printer;
  }

  /** True if the last line that was printed has no end yet. */
  get isMidLine(): boolean {
    return this.#text !== '' && !this.#text.endsWith('\n');
  }

  get length(): number {
    return this.#text.length;
  }

  /** Tells that the next piece begins the answer of a further turn. A blank line separates them, as in the result. */
  beginTurn(): void {
    this.#isNewTurn = this.#text !== '';
  }

  async add(piece: string): Promise<void> {
    if (piece === '') return;
    const whole = `${this.#held}${this.#isNewTurn ? '\n\n' : ''}${piece}`;
    this.#isNewTurn = false;
    this.#held = HALF_PAIR.exec(whole)?.[0] ?? '';
    await this.#print(whole.slice(0, whole.length - this.#held.length));
  }

  /**
   * Prints what is missing of the whole text, and a line end. Returns false if the pieces were not the beginning of the
   * whole text: then the whole text is printed below them.
   */
  async finish(text: string): Promise<boolean> {
    const isBeginning = text.startsWith(this.#text);
    if (!isBeginning) await this.#print(this.isMidLine ? '\n' : '');
    await this.#print(isBeginning ? text.slice(this.#text.length) : text);
    if (this.#text !== '') await this.#print('\n');
    return isBeginning;
  }

  async #print(text: string): Promise<void> {
    if (text === '') return;
    this.#text += text;
    await this.#printer.writeExact(text);
  }
}
