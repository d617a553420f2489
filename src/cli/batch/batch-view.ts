import { hostname } from 'node:os';
import type { BatchEvent } from '../../api/batch-event.js';
import { cleanName } from '../../base/text/clean-text.js';
import { formatClock } from '../output/format-numbers.js';
import type { Printer } from '../output/output.js';
import { RedrawnLines } from '../output/redrawn-lines.js';
import { describeHeartbeat } from './batch-heartbeat.js';
import { describeBatchEvent } from './batch-lines.js';
import { BatchProgress, type PlanFacts } from './batch-progress.js';
import { renderBatchView } from './batch-rows.js';

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
  readonly #lines: RedrawnLines;
  /** After Ctrl-Z and `fg`, the shell has written below the drawn rows. */
  readonly #goOn = (): void => this.#lines.forget();

  constructor(printer: Printer, plan: PlanFacts = {}) {
    this.#printer = printer;
    this.#progress = new BatchProgress(Date.now(), plan);
    this.#lines = new RedrawnLines(printer);
    this.#isLive = printer.terminal !== undefined;
    if (this.#isLive) process.on('SIGCONT', this.#goOn);
    this.#timer = this.#isLive
      ? setInterval(() => this.#draw(), FRAME_MS)
      : setInterval(() => this.#beat(), HEARTBEAT_MS);
  }

  accept(event: BatchEvent, nowMs: number = Date.now()): void {
    this.#progress.accept(event, nowMs);
    // On a terminal the view shows the running steps.
    if (this.#isLive && event.type === 'step-started' && !isRerun(event)) return;
    const line = describeBatchEvent(event, this.#printer.paint, this.#progress);
    if (line !== undefined) this.#writeLine(line, nowMs);
    if (event.type === 'batch-started' && !this.#isLive) this.#writeOrigin(nowMs);
  }

  /** Prints a remark that is no event of the batch. */
  note(text: string, nowMs: number = Date.now()): void {
    this.#writeLine(this.#printer.paint.yellow(cleanName(text)), nowMs);
  }

  stop(): void {
    clearInterval(this.#timer);
    process.off('SIGCONT', this.#goOn);
    this.#lines.draw([]);
  }

  /** Writes where the batch runs and how to ask for it: a log may be all that is left of a killed batch. */
  #writeOrigin(nowMs: number): void {
    const { statusCommand, concurrency } = this.#progress.plan;
    if (statusCommand === undefined) return;
    const most = concurrency === undefined ? '' : `${concurrency} at a time, `;
    const line = `${most}process ${process.pid} on ${hostname()} · status: ${cleanName(statusCommand)}`;
    this.#writeLine(this.#printer.paint.dim(line), nowMs);
  }

  #beat(): void {
    const nowMs = Date.now();
    const line = describeHeartbeat(this.#progress, nowMs);
    if (line !== undefined) this.#writeLine(line, nowMs);
  }

  /** Writes a line with its time, which is in the past for a batch that is watched. */
  #writeLine(line: string, atMs: number): void {
    // The next heartbeat comes a whole period after the last line.
    if (!this.#isLive) this.#timer.refresh();
    // The drawn lines come back at once: without them, the view of a fast batch would hardly ever be seen.
    this.#lines.writeAbove(`${this.#isLive ? '' : this.#prefix(atMs)}${line}\n`);
  }

  #prefix(atMs: number): string {
    const { finished, total } = this.#progress;
    const count = total === 0 ? '' : ` [${finished}/${total}]`;
    return `${this.#printer.paint.dim(`${formatClock(atMs)}${count}`)} `;
  }

  #draw(): void {
    const { terminal, paint } = this.#printer;
    if (terminal === undefined) return;
    const { columns, rows } = terminal;
    const size = { columns, rows: rows - SPARE_ROWS, paint };
    this.#lines.draw(renderBatchView(this.#progress, Date.now(), size));
  }
}

/** True for a step whose line tells the reason why it runs again. */
function isRerun({ reason }: { readonly reason?: string | undefined }): boolean {
  return reason !== undefined && reason !== 'new' && reason !== 'retry';
}
