import { setMaxListeners } from 'node:events';
import type { BatchEvent } from '../../api/batch-event.js';
import type { BatchLimits, PlannedStep } from '../../api/batch-plan.js';
import type { BatchStop } from '../../api/batch-report.js';
import type { ProviderError } from '../../base/errors/provider-error.js';
import { Alarm } from '../../base/process/alarm.js';
import { backoffMs } from './backoff.js';
import type { BatchState } from './batch-state.js';
import { Budget } from './budget.js';
import { ConcurrencyLimit } from './concurrency-limit.js';
import type { MergeOrder } from './merge-order.js';
import { StepGraph } from './step-graph.js';
import type { StepOutcome, StepRunner } from './step-runner.js';

export interface SchedulerOptions {
  /** In an order in which each step comes after those it needs. */
  readonly steps: readonly PlannedStep[];
  readonly limits: BatchLimits & { readonly concurrency: number };
  readonly state: BatchState;
  /** The same that the runner waits for: the scheduler tells it which steps will not be merged. */
  readonly mergeOrder: MergeOrder;
  readonly runner: StepRunner;
  readonly emit: (event: BatchEvent) => void;
}

/** Decides which step runs when, and whether one that failed runs again. */
export class Scheduler {
  readonly #state: BatchState;
  readonly #emit: (event: BatchEvent) => void;
  readonly #steps: readonly PlannedStep[];
  readonly #graph: StepGraph;
  readonly #mergeOrder: MergeOrder;
  readonly #runner: StepRunner;
  readonly #admission: ConcurrencyLimit;
  readonly #budget: Budget;
  readonly #alarm = new Alarm();
  readonly #failures = new Map<string, number>();
  readonly #delayed = new Map<PlannedStep, number>();
  readonly #active = new Set<string>();
  /** What was done in an earlier run, and has been looked at in this one. */
  readonly #reused = new Set<string>();
  readonly #cancel = new AbortController();
  #stop: BatchStop | undefined;
  #crash: unknown;

  constructor({ steps, limits, state, mergeOrder, runner, emit }: SchedulerOptions) {
    this.#state = state;
    this.#emit = emit;
    this.#steps = steps;
    this.#graph = new StepGraph(steps);
    this.#mergeOrder = mergeOrder;
    this.#runner = runner;
    this.#admission = new ConcurrencyLimit(limits.concurrency);
    this.#budget = new Budget(limits, Date.now());
    // Every step at work listens, and Node.js would take that for a leak.
    setMaxListeners(0, this.#cancel.signal);
  }

  /** Resolves when no step is at work and none will start. */
  async run(): Promise<void> {
    for (;;) {
      // One look at the clock: what came due between two would be forgotten.
      const nowMs = Date.now();
      this.#admit(nowMs);
      if (this.#active.size === 0 && (this.#stop !== undefined || this.#isFinished())) break;
      await this.#alarm.wait(Math.max(0, this.#nextTimeMs(nowMs) - Date.now()));
      this.#alarm.reset();
    }
    if (this.#crash !== undefined) throw this.#crash;
    await this.#lookAtRest();
  }

  /** No more steps are started; those at work go on. */
  stop(stop: BatchStop): void {
    if (this.#stop !== undefined) return;
    this.#stop = stop;
    this.#note(this.#state.write({ type: 'stop', stop }));
    this.#emit({ type: 'stopping', stop });
    for (const step of this.#steps) if (!this.#active.has(step.id)) this.#mergeOrder.pass(step);
    this.#alarm.ring();
  }

  /** Those at work are ended too. */
  cancel(stop: BatchStop): void {
    this.stop(stop);
    this.#cancel.abort();
  }

  #isFinished(): boolean {
    return !this.#graph.hasReady && this.#delayed.size === 0;
  }

  #admit(nowMs: number): void {
    for (const [step, dueMs] of this.#delayed) {
      if (dueMs > nowMs) continue;
      this.#delayed.delete(step);
      this.#graph.putBack(step);
    }
    // Also where nothing may start yet: nobody should wait for a pause only to be told that the time is over.
    const spent = this.#isFinished() ? undefined : this.#budget.check(nowMs);
    if (spent !== undefined) this.stop(spent);
    const tooEarly: PlannedStep[] = [];
    while (this.#stop === undefined && this.#admission.mayStart(nowMs)) {
      const step = this.#graph.take();
      if (step === undefined) break;
      if (this.#mergeOrder.isTooEarly(step)) tooEarly.push(step);
      else void this.#run(step);
    }
    for (const step of tooEarly) this.#graph.putBack(step);
  }

  /** Those that never had their turn: nothing is started any more, but what was done before may still stand. */
  async #lookAtRest(): Promise<void> {
    const writing: Promise<void>[] = [];
    for (const step of this.#steps) {
      const { id } = step;
      if (!this.#state.stepState(id).isEarlier || this.#reused.has(id)) continue;
      if (!this.#state.hasSucceeded(id)) continue;
      if (!(await this.#runner.stands(step))) {
        writing.push(this.#state.write({ type: 'open', step: id }));
      }
      this.#finish(step);
    }
    await Promise.all(writing);
  }

  /** When something happens by itself. */
  #nextTimeMs(nowMs: number): number {
    const paused = this.#graph.hasReady ? this.#admission.pausedUntilMs : 0;
    const times = [...this.#delayed.values(), this.#budget.endsAtMs, paused];
    return Math.min(...times.filter((time) => time > nowMs), Number.POSITIVE_INFINITY);
  }

  async #run(step: PlannedStep): Promise<void> {
    const lane = this.#admission.start();
    const startedMs = Date.now();
    this.#active.add(step.id);
    let isFree = false;
    // A step that waits to be merged gives its lane to the next step.
    const free = (tokens: number): void => {
      if (isFree) return;
      isFree = true;
      // Before the next one is let in: it may be too much already.
      this.#budget.spend(tokens);
      this.#admission.end(lane);
      this.#alarm.ring();
    };
    let tokens = 0;
    try {
      const outcome = await this.#runner.run(step, {
        index: lane,
        signal: this.#cancel.signal,
        free,
      });
      tokens = outcome.tokens;
      await this.#settle(step, outcome, startedMs);
    } catch (error) {
      this.#fall(error);
    } finally {
      free(tokens);
      this.#active.delete(step.id);
      if (this.#stop !== undefined) this.#mergeOrder.pass(step);
      this.#alarm.ring();
    }
  }

  async #settle(step: PlannedStep, outcome: StepOutcome, startedMs: number): Promise<void> {
    if (outcome.kind === 'failed') return this.#settleFailure(step, outcome.error, startedMs);
    if (outcome.kind === 'reused') this.#reused.add(step.id);
    else if (this.#admission.succeeded()) this.#tellLimit();
    this.#mergeOrder.pass(step);
    this.#graph.succeed(step);
    this.#finish(step);
  }

  async #settleFailure(step: PlannedStep, error: ProviderError, startedMs: number): Promise<void> {
    if (error.code === 'CANCELLED' && this.#cancel.signal.aborted) {
      await this.#state.write({ type: 'cancelled', step: step.id });
      return this.#finish(step);
    }
    if (error.code === 'RATE_LIMITED') this.#slowDown(error, startedMs);
    if (this.#retry(step, error)) return;
    const data = error.toJSON();
    const stop = this.#budget.fail(step.id, data);
    // Before anything is waited for: others that end meanwhile would let new steps in.
    if (stop !== undefined) this.stop(stop);
    await this.#state.write({ type: 'failed', step: step.id, error: data });
    this.#mergeOrder.pass(step);
    this.#finish(step);
    const because = step.id;
    const skipped = this.#graph.fail(step);
    await Promise.all(
      skipped.map(({ id }) => this.#state.write({ type: 'skipped', step: id, because })),
    );
    for (const one of skipped) {
      this.#mergeOrder.pass(one);
      this.#finish(one);
    }
  }

  /** True where there will be another attempt, in this run of the batch or in the next. */
  #retry(step: PlannedStep, error: ProviderError): boolean {
    const failures = (this.#failures.get(step.id) ?? 0) + 1;
    this.#failures.set(step.id, failures);
    if (!error.retryable || failures > step.retries || !this.#budget.takeRetry()) return false;
    // Stopped meanwhile: it is still open, and runs when the batch is resumed.
    if (this.#stop !== undefined) {
      this.#finish(step);
      return true;
    }
    const delayMs = backoffMs(failures, error.retryAfterMs, Math.random);
    this.#delayed.set(step, Date.now() + delayMs);
    const { code, message } = error;
    const attempt = this.#state.stepState(step.id).attempts.length;
    this.#emit({ type: 'step-retry', stepId: step.id, attempt, code, message, delayMs });
    return true;
  }

  #slowDown({ retryAfterMs }: ProviderError, startedMs: number): void {
    const nowMs = Date.now();
    if (this.#admission.rateLimited(startedMs, nowMs)) this.#tellLimit();
    if (retryAfterMs === undefined || !this.#admission.pauseUntil(nowMs + retryAfterMs)) return;
    this.#emit({ type: 'paused', untilMs: nowMs + retryAfterMs });
  }

  #tellLimit(): void {
    this.#emit({ type: 'concurrency', limit: this.#admission.limit });
  }

  #finish({ id }: PlannedStep): void {
    this.#emit({ type: 'step-finished', stepId: id, report: this.#state.stepReport(id) });
  }

  #note(writing: Promise<void>): void {
    writing.catch((error: unknown) => this.#fall(error));
  }

  /** Without its ledger, or after a fault of our own, a batch must not go on. */
  #fall(error: unknown): void {
    this.#crash ??= error;
    this.#stop ??= { reason: 'cancelled', message: String(error) };
    this.#cancel.abort();
    for (const step of this.#steps) this.#mergeOrder.pass(step);
    this.#alarm.ring();
  }
}
