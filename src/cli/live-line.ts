import type { AgentEvent } from '../contract/agent-event.js';
import type { Output } from './output.js';
import { describeEvent } from './progress.js';

const FRAMES = '⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏';
const FRAME_MS = 100;
const CLEAR_LINE = '\r\u001b[2K';

/** What happens, line by line; on a terminal with a last line that moves while the model is thinking. */
export class LiveLine {
  readonly #output: Output;
  readonly #startedMs = Date.now();
  readonly #timer: NodeJS.Timeout | undefined;
  #characters = 0;
  #frame = 0;

  constructor(output: Output, isWanted: boolean) {
    this.#output = output;
    if (isWanted && output.stderr.isTTY === true) {
      this.#timer = setInterval(() => this.#draw(), FRAME_MS);
    }
  }

  show(event: AgentEvent): void {
    if (event.type === 'text-delta') this.#characters += event.text.length;
    const line = describeEvent(event, this.#output);
    if (line === undefined) return;
    this.#clear();
    this.#output.stderr.write(`${line}\n`);
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#clear();
  }

  #draw(): void {
    const seconds = ((Date.now() - this.#startedMs) / 1000).toFixed(1);
    const frame = FRAMES[this.#frame++ % FRAMES.length];
    const said = this.#characters === 0 ? '' : ` · ${this.#characters} characters`;
    this.#clear();
    this.#output.stderr.write(this.#output.paint.dim(`${frame} ${seconds} s${said}`));
  }

  #clear(): void {
    if (this.#timer !== undefined) this.#output.stderr.write(CLEAR_LINE);
  }
}
