import type { BatchEvent } from '../api/batch-event.js';
import { describeHeartbeat } from './batch-heartbeat.js';
import { describeBatchEvent } from './batch-lines.js';
import { BatchProgress, type PlanFacts } from './batch-progress.js';
import { renderBatchView } from './batch-rows.js';
import { widthOf } from './fit-width.js';
import { formatClock } from './format-numbers.js';
import type { Printer } from './output.js';

const FRAME_MS = 100;
/** Rows of the terminal that the view leaves to earlier output. */
const SPARE_ROWS = 4;
/** Time without a line after which a log gets a line that names the steps at work. */
const HEARTBEAT_MS = 60_000;

/**
 * Prints a line for each event. On a terminal, steps at work and a progress bar are redrawn below the lines. In a log,
 * lines begin with time and count, and a line comes each minute in which nothing else happens.
 */
export class BatchView {
  readonly #printer: Printer;
  readonly #progress: BatchProgress;
  readonly #timer: NodeJS.Timeout;
  readonly #isLive: boolean;
  /** Lines that the last drawing has left below the printed ones. */
  #drawn: readonly string[] = [];

  constructor(printer: Printer, plan: PlanFacts = {}) {
    this.#printer = printer;
    this.#progress = new BatchProgress(Date.now(), plan);
    this.#isLive = printer.terminal !== undefined;
    this.#timer = this.#isLive
      ? setInterval(() => this.#draw(), FRAME_MS)
      : setInterval(() => this.#beat(), HEARTBEAT_MS);
  }

  accept(event: BatchEvent, nowMs: number = Date.now()): void {
    this.#progress.accept(event, nowMs);
    // On a terminal the view shows the running steps.
    if (this.#isLive && event.type === 'step-started' && !isRerun(event)) return;
    const line = describeBatchEvent(event, this.#printer.paint, this.#progress);
    if (line !== undefined) this.#writeLine(line);
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#write('', []);
  }

  #beat(): void {
    const line = describeHeartbeat(this.#progress, Date.now());
    if (line !== undefined) this.#writeLine(line);
  }

  #writeLine(line: string): void {
    // The next heartbeat comes a whole period after the last line.
    if (!this.#isLive) this.#timer.refresh();
    // The drawn lines come back at once: without them, the view of a fast batch would hardly ever be seen.
    this.#write(`${this.#isLive ? '' : this.#prefix()}${line}\n`, this.#drawn);
  }

  #prefix(): string {
    const { finished, total } = this.#progress;
    const count = total === 0 ? '' : ` [${finished}/${total}]`;
    return `${this.#printer.paint.dim(`${formatClock(Date.now())}${count}`)} `;
  }

  #draw(): void {
    const { terminal, paint } = this.#printer;
    if (terminal === undefined) return;
    const { columns, rows } = terminal;
    const size = { columns, rows: rows - SPARE_ROWS, paint };
    this.#write('', renderBatchView(this.#progress, Date.now(), size));
  }

  /** Writes a text and draws lines, in place of the lines that the last drawing has left. */
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

/** True for a step whose line tells the reason why it runs again. */
function isRerun({ reason }: { readonly reason?: string | undefined }): boolean {
  return reason !== undefined && reason !== 'new' && reason !== 'retry';
}
