import type { AgentEvent } from '../api/agent-event.js';
import type { Printer } from './output.js';
import { describeEvent } from './progress.js';

const FRAMES = '⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏';
const FRAME_MS = 100;

/** Prints a line for each event. On a terminal, a last line with time and text length moves while the model works. */
export class LiveLine {
  readonly #printer: Printer;
  readonly #startedMs = Date.now();
  readonly #timer: NodeJS.Timeout | undefined;
  #characters = 0;
  #frame = 0;

  constructor(printer: Printer, isWanted: boolean) {
    this.#printer = printer;
    if (isWanted && printer.terminal !== undefined) {
      this.#timer = setInterval(() => this.#draw(), FRAME_MS);
    }
  }

  show(event: AgentEvent): void {
    if (event.type === 'text-delta') this.#characters += event.text.length;
    const line = describeEvent(event, this.#printer.paint);
    if (line === undefined) return;
    this.#write(`${line}\n`);
  }

  stop(): void {
    clearInterval(this.#timer);
    if (this.#timer !== undefined) this.#write('');
  }

  #draw(): void {
    const seconds = ((Date.now() - this.#startedMs) / 1000).toFixed(1);
    const frame = FRAMES[this.#frame++ % FRAMES.length];
    const length = this.#characters === 0 ? '' : ` · ${this.#characters} characters`;
    this.#write(this.#printer.paint.dim(`${frame} ${seconds} s${length}`));
  }

  /** Writes a text in place of the moving line. */
  #write(text: string): void {
    void this.#printer.write(text, this.#timer === undefined ? 0 : 'line');
  }
}
