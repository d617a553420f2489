import type { AgentEvent } from '../api/agent-event.js';
import type { BatchEvent } from '../api/batch-event.js';
import type { StepReport, StepState } from '../api/step-report.js';

/** Step that is running. */
export interface RunningStep {
  readonly id: string;
  readonly lane: number;
  readonly attempt: number;
  readonly startedMs: number;
  /** Current action: the running tool with its file, `thinking`, `writing`, or a status message. */
  activity: string;
}

/** Progress of a batch, folded from its events. */
export class BatchProgress {
  readonly running = new Map<string, RunningStep>();
  readonly counts: Record<StepState, number> = {
    succeeded: 0,
    failed: 0,
    skipped: 0,
    cancelled: 0,
    pending: 0,
    running: 0,
    merging: 0,
  };
  total = 0;
  tokens = 0;
  limit: number | undefined;
  pausedUntilMs = 0;
  isStopping = false;
  #waiting = new Set<string>();
  #executed = 0;
  readonly #startedMs: number;

  constructor(nowMs: number) {
    this.#startedMs = nowMs;
  }

  accept(event: BatchEvent, nowMs: number): void {
    switch (event.type) {
      case 'batch-started':
        this.total = event.steps.length;
        break;
      case 'step-started': {
        const { stepId: id, lane, attempt } = event;
        this.#waiting.delete(id);
        this.running.set(id, { id, lane, attempt, startedMs: nowMs, activity: 'starting' });
        break;
      }
      case 'step-progress':
        this.#progress(event.stepId, event.event);
        break;
      case 'step-retry':
        this.running.delete(event.stepId);
        this.#waiting.add(event.stepId);
        break;
      case 'step-finished':
        this.#finish(event.report);
        break;
      case 'concurrency':
        this.limit = event.limit;
        break;
      case 'paused':
        this.pausedUntilMs = event.untilMs;
        break;
      case 'stopping':
        this.isStopping = true;
        break;
    }
  }

  get finished(): number {
    return Object.values(this.counts).reduce((sum, count) => sum + count, 0);
  }

  /** Number of steps that wait for their next attempt. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** Finished steps per minute. Reused and skipped steps do not count. */
  stepsPerMinute(nowMs: number): number {
    const minutes = (nowMs - this.#startedMs) / 60_000;
    return minutes === 0 ? 0 : this.#executed / minutes;
  }

  /** Estimated time until the end; undefined until the first step has finished. */
  remainingMs(nowMs: number): number | undefined {
    const rate = this.stepsPerMinute(nowMs);
    return rate === 0 ? undefined : ((this.total - this.finished) / rate) * 60_000;
  }

  #finish(report: StepReport): void {
    this.running.delete(report.id);
    this.#waiting.delete(report.id);
    this.counts[report.state]++;
    if (report.reused) return;
    this.tokens += report.usage?.total ?? 0;
    if (report.state !== 'skipped') this.#executed++;
  }

  #progress(id: string, event: AgentEvent): void {
    const step = this.running.get(id);
    if (step === undefined) return;
    if (event.type === 'tool-invocation') {
      const [path = ''] = event.locations ?? [];
      step.activity = `${event.toolName} ${path}`.trim();
    }
    if (event.type === 'text-delta') {
      step.activity = event.textKind === 'thinking' ? 'thinking' : 'writing';
    }
    if (event.type === 'session-status') step.activity = event.message;
  }
}
