import type { AgentEvent } from '../api/agent-event.js';
import type { Printer } from './output.js';
import { describeEvent } from './progress.js';

const FRAMES = '⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏';
const FRAME_MS = 100;
const CLEAR_LINE = '\r\u001b[2K';

/** Prints a line for each event. On a terminal, a last line with time and text length moves while the model works. */
export class LiveLine {
  readonly #printer: Printer;
  readonly #startedMs = Date.now();
  readonly #timer: NodeJS.Timeout | undefined;
  #characters = 0;
  #frame = 0;

  constructor(printer: Printer, isWanted: boolean) {
    this.#printer = printer;
    if (isWanted && printer.stream.isTTY === true) {
      this.#timer = setInterval(() => this.#draw(), FRAME_MS);
    }
  }

  show(event: AgentEvent): void {
    if (event.type === 'text-delta') this.#characters += event.text.length;
    const line = describeEvent(event, this.#printer.paint);
    if (line === undefined) return;
    this.#clear();
    this.#printer.stream.write(`${line}\n`);
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#clear();
  }

  #draw(): void {
    const seconds = ((Date.now() - this.#startedMs) / 1000).toFixed(1);
    const frame = FRAMES[this.#frame++ % FRAMES.length];
    const length = this.#characters === 0 ? '' : ` · ${this.#characters} characters`;
    this.#clear();
    this.#printer.stream.write(this.#printer.paint.dim(`${frame} ${seconds} s${length}`));
  }

  #clear(): void {
    if (this.#timer !== undefined) this.#printer.stream.write(CLEAR_LINE);
  }
}
