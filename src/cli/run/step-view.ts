import type { AgentEvent } from '../../api/agent-event.js';
import type { Output } from '../output/output.js';
import { describeEvent } from '../output/progress.js';
import { StreamedText } from './streamed-text.js';

const FRAMES = '⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏';
const FRAME_MS = 100;

/**
 * Prints the answer of the model to stdout as it comes, and a line for each other event to stderr. On a terminal, a
 * last line with the time moves while the model works. If both streams go to the same terminal, file or pipe, a line of
 * stderr begins on a line of its own, and the moving line waits until the line of the answer has ended.
 */
export class StepView {
  readonly #output: Output;
  readonly #text: StreamedText;
  readonly #startedMs = Date.now();
  readonly #timer: NodeJS.Timeout | undefined;
  #frame = 0;
  #isDrawn = false;
  /** True if a line end was printed to stderr since the last piece of the answer. */
  #isBroken = false;

  constructor(output: Output) {
    this.#output = output;
    this.#text = new StreamedText(output.stdout);
    if (output.stderr.terminal !== undefined) {
      this.#timer = setInterval(() => this.#draw(), FRAME_MS);
    }
  }

  async show(event: AgentEvent): Promise<void> {
    if (event.type === 'text-delta' || event.type === 'text') {
      if (event.textKind !== 'text' || event.parentCallId !== undefined) return;
      await this.#erase();
      await this.#text.add(event.text);
      this.#isBroken = false;
      return;
    }
    if (event.type === 'session-status' && event.status === 'repairing') this.#text.beginTurn();
    const { paint, terminal } = this.#output.stderr;
    const line = describeEvent(event, paint, terminal?.columns);
    if (line !== undefined) await this.print(line);
  }

  /** Prints lines to stderr, below the answer. */
  async print(lines: string): Promise<void> {
    await this.#erase();
    const isMidLine = this.#isMidLine();
    this.#isBroken ||= isMidLine;
    await this.#output.stderr.write(`${isMidLine ? '\n' : ''}${lines}\n`);
  }

  /** Prints what is missing of the answer, and a line end. */
  async finish(text: string): Promise<void> {
    await this.stop();
    if (await this.#text.finish(text)) return;
    const remark = 'The text that came first was not complete. The whole text stands below it.';
    await this.print(remark);
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#erase();
  }

  #isMidLine(): boolean {
    return this.#output.isShared && this.#text.isMidLine && !this.#isBroken;
  }

  #draw(): void {
    if (this.#isMidLine()) return;
    const seconds = ((Date.now() - this.#startedMs) / 1000).toFixed(1);
    const frame = FRAMES[this.#frame++ % FRAMES.length];
    const length = this.#text.length === 0 ? '' : ` · ${this.#text.length} characters`;
    const line = this.#output.stderr.paint.dim(`${frame} ${seconds} s${length}`);
    this.#isDrawn = true;
    void this.#output.stderr.write(line, 'line');
  }

  async #erase(): Promise<void> {
    if (!this.#isDrawn) return;
    this.#isDrawn = false;
    await this.#output.stderr.write('', 'line');
  }
}
