import type { AgentEvent, WorkerAssignedEvent } from '../../api/agent-event.js';
import type {
  BatchEvent,
  PausedEvent,
  StepStartedEvent,
  StepWaitingEvent,
} from '../../api/batch-event.js';
import type { CostEstimate } from '../../api/cost.js';
import type { AttemptReason, StepReport } from '../../api/step-report.js';
import { describeActivity, isQueued, isRateLimit } from '../../base/events/step-activity.js';
import { sumCosts } from '../../base/usage/add-costs.js';
import { countStates } from '../../batch/ledger/count-states.js';

/** Facts of the plan that events do not carry. Without them, the view shows less. */
export interface PlanFacts {
  /** Names of the common folder of all steps. Paths below it are shown relative to it. */
  readonly folders?: readonly string[] | undefined;
  /** Command that asks for the status of the batch. */
  readonly statusCommand?: string | undefined;
  /** Steps that may run at the same time. */
  readonly concurrency?: number | undefined;
  /** Returns the number of retries that a step may have. */
  readonly retriesOf?: ((stepId: string) => number | undefined) | undefined;
}

/** What a step does or waits for. `untilMs` and `sinceMs` are milliseconds since 1970. */
export type StepPhase =
  | { readonly kind: 'work'; readonly text: string }
  | { readonly kind: 'rate-limit'; readonly untilMs: number }
  | { readonly kind: 'slot' | 'queue'; readonly sinceMs: number }
  | { readonly kind: 'ending' | 'merging' }
  | { readonly kind: 'merge'; readonly behind?: string | undefined }
  | {
      readonly kind: 'retry';
      readonly untilMs: number;
      readonly code: string;
      /** Fallback model of the next attempt. */
      readonly model?: string | undefined;
    };

/** Step that has begun in this run and is not over. */
export interface StepRow {
  readonly id: string;
  readonly lane: number;
  /** Number of the attempt in this run, from 1. */
  readonly attempt: number;
  /** Attempts that the step may have in this run. Undefined if that is not known. */
  readonly mostAttempts: number | undefined;
  readonly reason: AttemptReason | undefined;
  readonly model: string | undefined;
  /** True if the attempt asks for another model than the first one of this run. */
  readonly isFallback: boolean;
  /** Worker that has the attempt. Undefined without a queue, and as long as no worker has taken the attempt. */
  worker?: string | undefined;
  /** Start of the attempt's work, without its wait in the queue or for a slot. */
  startedMs: number;
  phase: StepPhase;
}

/** Progress of a batch, folded from its events. */
export class BatchProgress {
  /** Steps that have begun and are not over, by id. */
  readonly active = new Map<string, StepRow>();
  readonly counts = countStates([]);
  readonly plan: PlanFacts;
  /** Start of the batch. Of a batch that is watched, this is before the view. */
  startedMs: number;
  total = 0;
  /** Tokens of the attempts of this run. */
  tokens = 0;
  /** Estimate of the cost of the attempts of this run, by list price. */
  cost: CostEstimate | undefined;
  limit: number | undefined;
  pausedUntilMs = 0;
  pauseCause: PausedEvent['cause'] = 'rate-limit';
  isStopping = false;
  finished = 0;
  #executed = 0;
  /** First attempt of this run by step: reports also have the attempts of earlier runs. */
  readonly #firstAttempts = new Map<string, Pick<StepStartedEvent, 'attempt' | 'model'>>();

  constructor(nowMs: number, plan: PlanFacts = {}) {
    this.startedMs = nowMs;
    this.plan = plan;
  }

  accept(event: BatchEvent, nowMs: number): void {
    switch (event.type) {
      case 'batch-started':
        this.startedMs = nowMs;
        this.total = event.steps.length;
        break;
      case 'step-started':
        this.#start(event, nowMs);
        break;
      case 'step-waiting':
        this.#wait(event, nowMs);
        break;
      case 'step-progress':
        this.#progress(event.stepId, event.event, nowMs);
        break;
      case 'step-retry': {
        const { delayMs, code, model } = event;
        this.#enter(event.stepId, { kind: 'retry', untilMs: nowMs + delayMs, code, model });
        break;
      }
      case 'step-finished':
        this.#finish(event.report);
        break;
      case 'concurrency':
        this.limit = event.limit;
        break;
      case 'paused':
        this.pausedUntilMs = event.untilMs;
        this.pauseCause = event.cause;
        break;
      case 'stopping':
        this.isStopping = true;
        break;
    }
  }

  /** Steps that hold a lane, in the order of their lanes. */
  get atWork(): readonly StepRow[] {
    return this.#inPhase('work', 'rate-limit', 'slot', 'queue').sort((a, b) => a.lane - b.lane);
  }

  /** Steps whose agent has finished: they are being saved, wait for their merge, or are being merged. */
  get finishing(): readonly StepRow[] {
    return this.#inPhase('ending', 'merge', 'merging');
  }

  /** Steps that wait for their next attempt. */
  get retrying(): readonly StepRow[] {
    return this.#inPhase('retry');
  }

  /** Finished steps per minute. Reused and skipped steps do not count. */
  stepsPerMinute(nowMs: number): number {
    const minutes = (nowMs - this.startedMs) / 60_000;
    return minutes === 0 ? 0 : this.#executed / minutes;
  }

  /** Estimated time until the end; undefined until the first step has finished. No step starts during a pause. */
  remainingMs(nowMs: number): number | undefined {
    const rate = this.stepsPerMinute(nowMs);
    if (rate === 0) return undefined;
    const pauseMs = Math.max(0, this.pausedUntilMs - nowMs);
    return pauseMs + ((this.total - this.finished) / rate) * 60_000;
  }

  #inPhase(...kinds: StepPhase['kind'][]): StepRow[] {
    return [...this.active.values()].filter(({ phase }) => kinds.includes(phase.kind));
  }

  #enter(id: string, phase: StepPhase): void {
    const step = this.active.get(id);
    if (step !== undefined) step.phase = phase;
  }

  #start(event: StepStartedEvent, nowMs: number): void {
    const { stepId: id, lane, attempt: number, reason, model } = event;
    const first = this.#firstAttempts.get(id) ?? event;
    this.#firstAttempts.set(id, first);
    const isFallback = model !== first.model;
    const retries = isFallback ? undefined : this.plan.retriesOf?.(id);
    this.active.set(id, {
      id,
      lane,
      attempt: number - first.attempt + 1,
      // Each fallback model has all retries again: the number of attempts in all is not known.
      mostAttempts: retries === undefined ? undefined : retries + 1,
      reason,
      model,
      isFallback,
      startedMs: nowMs,
      phase: { kind: 'work', text: 'starting' },
    });
  }

  #wait({ stepId, waitsFor, behind }: StepWaitingEvent, nowMs: number): void {
    if (waitsFor === 'slot' || waitsFor === 'queue') {
      this.#enter(stepId, { kind: waitsFor, sinceMs: nowMs });
      return;
    }
    if (!this.active.has(stepId)) this.#addSaved(stepId, nowMs);
    if (waitsFor === 'merge') this.#enter(stepId, { kind: 'merge', behind });
    else this.#enter(stepId, { kind: 'merging' });
  }

  /** Adds a step whose agent has finished in an earlier run, which has saved its changes. */
  #addSaved(id: string, nowMs: number): void {
    this.active.set(id, {
      id,
      lane: 0,
      attempt: 1,
      mostAttempts: undefined,
      reason: undefined,
      model: undefined,
      isFallback: false,
      startedMs: nowMs,
      phase: { kind: 'merging' },
    });
  }

  #progress(id: string, event: AgentEvent, nowMs: number): void {
    const step = this.active.get(id);
    if (step === undefined) return;
    if (step.phase.kind === 'slot' || step.phase.kind === 'queue') {
      // The wait is over. From here on, the time of the row is the time of work.
      step.startedMs = nowMs;
      step.phase = { kind: 'work', text: 'starting' };
    }
    if (event.type === 'turn-complete') step.phase = { kind: 'ending' };
    else if (event.type === 'worker-assigned') assignWorker(step, event);
    // The events of a batch that is watched have no `step-waiting`.
    else if (isQueued(event)) step.phase = { kind: 'queue', sinceMs: nowMs };
    else if (event.type === 'session-status' && isRateLimit(event) && event.ofProcess !== true) {
      step.phase = { kind: 'rate-limit', untilMs: nowMs + (event.delayMs ?? 0) };
    } else {
      const text = describeActivity(event, this.plan.folders);
      if (text !== undefined) step.phase = { kind: 'work', text };
    }
  }

  #finish(report: StepReport): void {
    const { id, state, reused, attempts } = report;
    const first = this.#firstAttempts.get(id)?.attempt ?? Number.POSITIVE_INFINITY;
    // A step that is merged only was executed in an earlier run, and says nothing about the pace of this one.
    const isMergedOnly = this.active.has(id) && !this.#firstAttempts.has(id);
    this.active.delete(id);
    this.#firstAttempts.delete(id);
    // The run was told to leave out the step, whose state is that of an earlier run.
    if (report.leftOut === true) {
      this.total--;
      return;
    }
    this.counts[state]++;
    this.finished++;
    const own = attempts.filter(({ number }) => number >= first);
    for (const { usage } of own) this.tokens += usage?.total ?? 0;
    this.cost = sumCosts([this.cost, ...own.map(({ cost }) => cost)]);
    if (!reused && !isMergedOnly && state !== 'skipped') this.#executed++;
  }
}

/** A second worker means that the step begins again. */
function assignWorker(step: StepRow, { worker }: WorkerAssignedEvent): void {
  step.worker = worker;
  step.phase = { kind: 'work', text: 'starting' };
}
