import type { BatchEvent } from '../api/batch-event.js';
import { cleanLine } from '../base/text/clean-text.js';
import { describeBatchEvent, formatSeconds } from './batch-lines.js';
import { BatchProgress, type RunningStep } from './batch-progress.js';
import { fitWidth, widthOf } from './fit-width.js';
import type { Paint, Printer } from './output.js';

const FRAME_MS = 100;
const BAR_WIDTH = 24;
/** With fewer columns left for the facts, the bar is left out. */
const NARROWEST_FACTS = 16;
/** Rows of the terminal that the view leaves to earlier output. */
const SPARE_ROWS = 4;

/** Prints a line for each event. On a terminal, running steps and a progress bar are redrawn below the lines. */
export class BatchView {
  readonly #printer: Printer;
  readonly #progress = new BatchProgress(Date.now());
  readonly #timer: NodeJS.Timeout | undefined;
  /** Widths of the lines that the last drawing has left. */
  #drawn: readonly number[] = [];

  constructor(printer: Printer) {
    this.#printer = printer;
    if (printer.terminal !== undefined) this.#timer = setInterval(() => this.#draw(), FRAME_MS);
  }

  accept(event: BatchEvent): void {
    this.#progress.accept(event, Date.now());
    // On a terminal the view shows the running steps.
    if (this.#timer !== undefined && event.type === 'step-started') return;
    const line = describeBatchEvent(event, this.#printer.paint);
    if (line === undefined) return;
    this.#write(`${line}\n`, []);
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#write('', []);
  }

  #draw(): void {
    const { terminal, paint } = this.#printer;
    if (terminal === undefined) return;
    const { columns, rows } = terminal;
    const lines = renderBatchView(this.#progress, Date.now(), {
      columns,
      rows: rows - SPARE_ROWS,
      paint,
    });
    const text = lines.map((line) => `${line}\n`).join('');
    this.#write(text, lines.map(widthOf));
  }

  /** Writes a text in place of the lines that the last drawing has left. A terminal that became narrower has wrapped them. */
  #write(text: string, drawn: readonly number[]): void {
    const { columns = 1 } = this.#printer.terminal ?? {};
    const rows = this.#drawn.map((width) => Math.max(1, Math.ceil(width / columns)));
    const erased = rows.reduce((sum, count) => sum + count, 0);
    void this.#printer.write(text, erased);
    this.#drawn = drawn;
  }
}

export interface ViewSize {
  readonly columns: number;
  readonly rows: number;
  readonly paint: Paint;
}

/** Renders a line for each running step, and the progress bar. */
export function renderBatchView(progress: BatchProgress, nowMs: number, size: ViewSize): string[] {
  const steps = [...progress.running.values()].sort((a, b) => a.lane - b.lane);
  const shown = steps.slice(0, Math.max(1, size.rows - 2));
  const hidden = steps.length - shown.length;
  return [
    ...shown.map((step) => renderStep(step, nowMs, size)),
    ...(hidden > 0 ? [size.paint.dim(fitWidth(`  and ${hidden} more`, size.columns - 1))] : []),
    renderTotal(progress, nowMs, size),
  ];
}

function renderStep(step: RunningStep, nowMs: number, { columns, paint }: ViewSize): string {
  const time = formatSeconds(nowMs - step.startedMs);
  const attempt = step.attempt > 1 ? ` #${step.attempt}` : '';
  // Five columns: the arrow, three spaces between the parts, and the last column.
  const room = Math.max(0, columns - time.length - 5);
  const wanted = cleanLine(`${step.id}${attempt}`);
  const name = fitWidth(wanted, Math.max(Math.min(8, room), Math.floor(room / 2)));
  const activity = fitWidth(cleanLine(step.activity), room - widthOf(name));
  const parts = [paint.cyan('→'), name, paint.dim(activity), paint.dim(time)];
  const line = parts.join(' ');
  return widthOf(line) < columns ? line : fitWidth(`→ ${wanted}`, columns - 1);
}

function renderTotal(progress: BatchProgress, nowMs: number, { columns, paint }: ViewSize): string {
  const { finished, total, counts, tokens, waiting } = progress;
  const filled = total === 0 ? 0 : Math.round((finished / total) * BAR_WIDTH);
  const bar = `${'█'.repeat(filled)}${'░'.repeat(BAR_WIDTH - filled)}`;
  const remaining = progress.remainingMs(nowMs);
  const facts = [
    `${finished}/${total}`,
    ...(counts.failed > 0 ? [`${counts.failed} failed`] : []),
    ...(waiting > 0 ? [`${waiting} waiting for a retry`] : []),
    ...(progress.limit === undefined ? [] : [`concurrency ${progress.limit}`]),
    ...(progress.pausedUntilMs > nowMs
      ? [`paused ${formatSeconds(progress.pausedUntilMs - nowMs)}`]
      : []),
    `${progress.stepsPerMinute(nowMs).toFixed(1)} steps/min`,
    ...(remaining === undefined ? [] : [`${formatSeconds(remaining)} left`]),
    `${tokens} tokens`,
    ...(progress.isStopping ? ['stopping'] : []),
  ].join(' · ');
  // The last column stays free, because some terminals wrap there.
  const room = columns - BAR_WIDTH - 2;
  if (room < NARROWEST_FACTS) return fitWidth(facts, columns - 1);
  return `${paint.green(bar)} ${fitWidth(facts, room)}`;
}
