import { widthOf } from './fit-width.js';
import type { Printer } from './output.js';

/** Lines at the end of a terminal that are drawn again and again, below lines that stay. */
export class RedrawnLines {
  readonly #printer: Printer;
  /** Lines that the last drawing has left below the printed ones. */
  #drawn: readonly string[] = [];

  constructor(printer: Printer) {
    this.#printer = printer;
  }

  /** Writes a text that stays. The drawn lines come back below it at once. */
  writeAbove(text: string): void {
    this.#write(text, this.#drawn);
  }

  /** Draws lines in place of those that the last drawing has left. */
  draw(lines: readonly string[]): void {
    this.#write('', lines);
  }

  /** Leaves the drawn lines as they are: another program has written below them. */
  forget(): void {
    this.#drawn = [];
  }

  #write(text: string, drawn: readonly string[]): void {
    const columns = Math.max(1, this.#printer.terminal?.columns ?? 1);
    // A terminal that has become narrower has wrapped the lines.
    const rows = this.#drawn.reduce((sum, line) => {
      return sum + Math.max(1, Math.ceil(widthOf(line) / columns));
    }, 0);
    void this.#printer.write(`${text}${drawn.map((line) => `${line}\n`).join('')}`, rows);
    this.#drawn = drawn;
  }
}
