import type { StepWorkerEvent } from '../../queue/worker/step-worker-event.js';
import { fitMiddle, fitWidth, widthOf } from '../output/fit-width.js';
import { formatClock, formatSeconds } from '../output/format-numbers.js';
import type { Paint, Printer } from '../output/output.js';
import { RedrawnLines } from '../output/redrawn-lines.js';
import { describeWorkerEvent, shortId, shortPrompt } from './worker-lines.js';
import type { WorkerMetrics } from './worker-metrics.js';

const FRAME_MS = 200;
/** Rows of the terminal that the view leaves to earlier output. */
const SPARE_ROWS = 4;

interface RunningJob {
  readonly id: string;
  readonly prompt: string;
  readonly attempt: number;
  readonly sinceMs: number;
}

/** Prints a line for each event of a worker. On a terminal, running steps and a line with totals are redrawn below. */
export class WorkerView {
  readonly #printer: Printer;
  readonly #metrics: WorkerMetrics;
  readonly #lines: RedrawnLines;
  readonly #timer: NodeJS.Timeout | undefined;
  readonly #running = new Map<string, RunningJob>();

  constructor(printer: Printer, metrics: WorkerMetrics) {
    this.#printer = printer;
    this.#metrics = metrics;
    this.#lines = new RedrawnLines(printer);
    if (printer.terminal !== undefined) this.#timer = setInterval(() => this.#draw(), FRAME_MS);
  }

  accept(event: StepWorkerEvent, nowMs: number = Date.now()): void {
    if (event.type === 'job-started') {
      const { jobId: id, prompt, attempt } = event;
      this.#running.set(id, { id, prompt, attempt, sinceMs: nowMs });
    }
    const ended = event.type === 'job-finished' ? this.#running.get(event.jobId) : undefined;
    if (event.type === 'job-finished') this.#running.delete(event.jobId);
    const isLive = this.#timer !== undefined;
    // On a terminal the rows show the running steps.
    if (isLive && event.type === 'job-started' && event.attempt === 1) return;
    this.note(describeWorkerEvent(event, this.#printer.paint, ended?.prompt), nowMs);
  }

  /** Prints a line that stays, above those that are redrawn. */
  note(line: string, nowMs: number = Date.now()): void {
    this.#lines.writeAbove(`${this.#printer.paint.dim(formatClock(nowMs))} ${line}\n`);
  }

  stop(): void {
    clearInterval(this.#timer);
    if (this.#timer !== undefined) this.#lines.draw([]);
  }

  #draw(): void {
    const { terminal, paint } = this.#printer;
    if (terminal === undefined) return;
    const size = { columns: terminal.columns, rows: terminal.rows - SPARE_ROWS, paint };
    const jobs = [...this.#running.values()];
    this.#lines.draw(renderWorker(jobs, this.#metrics, Date.now(), size));
  }
}

interface WorkerViewSize {
  readonly columns: number;
  readonly rows: number;
  readonly paint: Paint;
}

/** Renders a row for each running step, and a line with the totals of the worker. Exported for its test. */
export function renderWorker(
  jobs: readonly RunningJob[],
  metrics: Pick<WorkerMetrics, 'describe'>,
  nowMs: number,
  { columns: width, rows, paint }: WorkerViewSize,
): string[] {
  // The last column stays free, because some terminals wrap there.
  const columns = width - 1;
  const room = Math.max(0, rows - 1);
  const shown = jobs.slice(0, jobs.length <= room ? room : Math.max(0, room - 1));
  const hidden = jobs.length - shown.length;
  return [
    ...shown.map((job) => renderJob(job, nowMs, columns, paint)),
    ...(hidden > 0 && room > 0 ? [paint.dim(fitWidth(`  and ${hidden} more`, columns))] : []),
    renderTotals(metrics.describe(nowMs), columns),
  ];
}

function renderJob(job: RunningJob, nowMs: number, columns: number, paint: Paint): string {
  const time = formatSeconds(nowMs - job.sinceMs);
  const number = job.attempt > 1 ? ` (attempt ${job.attempt})` : '';
  const name = `${shortId(job.id)}${number}`;
  const left = columns - widthOf(name) - widthOf(time) - 6;
  if (left < 8) return fitMiddle(`→ ${name}`, columns);
  return `${paint.cyan('→')} ${name} ${fitWidth(shortPrompt(job.prompt), left)} ${paint.dim(`· ${time}`)}`;
}

/** Joins facts, the most important ones first. A fact is shown whole or not at all. */
function renderTotals([first = '', ...facts]: readonly string[], columns: number): string {
  let text = fitWidth(first, columns);
  for (const fact of facts) {
    const longer = `${text} · ${fact}`;
    if (widthOf(longer) <= columns) text = longer;
  }
  return text;
}
