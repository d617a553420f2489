import { setMaxListeners } from 'node:events';
import type { BatchEvent } from '../../api/batch-event.js';
import type { PlannedStep } from '../../api/batch-plan.js';
import type { BatchStop } from '../../api/batch-report.js';
import type { StepSkip } from '../../api/step-report.js';
import type { ProviderError } from '../../base/errors/provider-error.js';
import { Alarm } from '../../base/process/alarm.js';
import { takeoverOf } from '../../base/process/takeover.js';
import type { ParsedLimits } from '../plan/plan-schema.js';
import { StepGraph } from '../plan/step-graph.js';
import { type AttemptSpending, NOTHING_SPENT } from './attempt-cost.js';
import { AttemptPolicy } from './attempt-policy.js';
import type { BatchState } from './batch-state.js';
import { Budget } from './budget.js';
import { ConcurrencyLimit } from './concurrency-limit.js';
import { isCancelled, mayBeCancelled } from './is-cancelled.js';
import type { MergeOrder } from './merge-order.js';
import { Pace } from './pace.js';
import { recheckResults } from './recheck-results.js';
import { StepAnswers } from './step-answers.js';
import { StepEndings } from './step-endings.js';
import type { StepOutcome } from './step-lane.js';
import type { StepRunner } from './step-runner.js';

export interface SchedulerOptions {
  /** Steps in an order in which each one comes after the steps it needs. */
  readonly steps: readonly PlannedStep[];
  readonly limits: ParsedLimits & { readonly concurrency: number };
  readonly state: BatchState;
  /** Merge order that the runner waits for. The scheduler lets it pass steps that will not be merged. */
  readonly mergeOrder: MergeOrder;
  readonly runner: StepRunner;
  readonly emit: (event: BatchEvent) => void;
}

/** Decides which step runs when, and whether a failed step runs again. All times but `untilMs` are monotonic. */
export class Scheduler {
  readonly #state: BatchState;
  readonly #emit: (event: BatchEvent) => void;
  readonly #steps: readonly PlannedStep[];
  readonly #graph: StepGraph;
  readonly #mergeOrder: MergeOrder;
  readonly #runner: StepRunner;
  readonly #endings: StepEndings;
  readonly #concurrency: ConcurrencyLimit;
  readonly #pace: Pace;
  readonly #budget: Budget;
  readonly #alarm = new Alarm();
  readonly #policy: AttemptPolicy;
  readonly #answers: StepAnswers;
  readonly #delayed = new Map<PlannedStep, number>();
  readonly #active = new Set<string>();
  /** Steps whose result of an earlier run was checked in this run and is still valid. */
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
    this.#endings = new StepEndings({ state, graph: this.#graph, mergeOrder, emit });
    this.#concurrency = new ConcurrencyLimit(limits.concurrency);
    this.#pace = new Pace({
      limit: this.#concurrency,
      state,
      emit,
      giveBack: (stepId, retries) => this.#policy.giveBack(stepId, retries),
      watchWrite: (writing) => this.#watchWrite(writing),
    });
    this.#budget = new Budget(limits, performance.now());
    this.#policy = new AttemptPolicy(this.#budget);
    this.#answers = new StepAnswers(steps, state);
    // Each running step adds a listener. Without this, Node.js would warn of a memory leak.
    setMaxListeners(0, this.#cancel.signal);
  }

  /** Resolves when no step is running and none will start. */
  async run(): Promise<void> {
    for (;;) {
      // Both calls get the same time: a retry that became due between two readings would never wake the loop.
      const nowMs = performance.now();
      this.#startSteps(nowMs);
      if (this.#active.size === 0 && (this.#stop !== undefined || this.#isFinished())) break;
      await this.#alarm.wait(Math.max(0, this.#nextTimeMs(nowMs) - performance.now()));
      this.#alarm.reset();
    }
    await this.#runner.finishLate(this.#cancel.signal);
    if (this.#crash !== undefined) throw this.#crash;
    await recheckResults({
      steps: this.#steps,
      state: this.#state,
      runner: this.#runner,
      reused: this.#reused,
      signal: this.#cancel.signal,
      finish: (step) => this.#endings.finish(step),
    });
  }

  /** Starts no more steps. Running steps go on. */
  stop(stop: BatchStop): void {
    if (this.#stop !== undefined) return;
    this.#stop = stop;
    this.#watchWrite(this.#state.write({ type: 'stop', stop }));
    this.#emit({ type: 'stopping', stop });
    for (const step of this.#steps) if (!this.#active.has(step.id)) this.#mergeOrder.pass(step);
    this.#alarm.ring();
  }

  /** Starts no more steps and cancels the running ones. */
  cancel(stop: BatchStop): void {
    this.stop(stop);
    this.#cancel.abort();
  }

  #isFinished(): boolean {
    return !this.#graph.hasReady && this.#delayed.size === 0;
  }

  #startSteps(nowMs: number): void {
    for (const [step, dueMs] of this.#delayed) {
      if (dueMs > nowMs) continue;
      this.#delayed.delete(step);
      this.#graph.putBack(step);
    }
    // The budget is checked even during a pause: the batch must not wait for its end only to stop at `maxDuration`.
    const spent = this.#isFinished() ? undefined : this.#budget.check(nowMs);
    if (spent !== undefined) this.stop(spent);
    const tooEarly: PlannedStep[] = [];
    while (this.#stop === undefined && this.#concurrency.mayStart(nowMs)) {
      const step = this.#graph.take();
      if (step === undefined) break;
      const skip = this.#answers.findSkip(step);
      if (skip !== undefined) void this.#skip(step, skip);
      else if (this.#mergeOrder.isTooEarly(step)) tooEarly.push(step);
      else void this.#run(step);
    }
    for (const step of tooEarly) this.#graph.putBack(step);
  }

  /** Returns the next time at which a retry is due, a pause ends, or `maxDuration` is reached. */
  #nextTimeMs(nowMs: number): number {
    const paused = this.#graph.hasReady ? this.#concurrency.pausedUntilMs : 0;
    const times = [...this.#delayed.values(), this.#budget.endsAtMs, paused];
    return Math.min(...times.filter((time) => time > nowMs), Number.POSITIVE_INFINITY);
  }

  async #run(step: PlannedStep): Promise<void> {
    const lane = this.#concurrency.start();
    const startedMs = performance.now();
    this.#active.add(step.id);
    let isFree = false;
    // A step that waits to be merged gives its lane to the next step.
    const free = (spent: AttemptSpending): void => {
      if (isFree) return;
      isFree = true;
      // Tokens and cost are counted before the next step starts, because they may reach a limit.
      this.#budget.spend(spent);
      this.#concurrency.end(lane);
      this.#alarm.ring();
    };
    let spent = NOTHING_SPENT;
    try {
      const outcome = await this.#runner.run(step, {
        index: lane,
        signal: this.#cancel.signal,
        model: this.#policy.modelOf(step),
        free,
      });
      spent = outcome.spent;
      await this.#handleOutcome(step, outcome, startedMs);
    } catch (error) {
      this.crash(error);
    } finally {
      free(spent);
      this.#active.delete(step.id);
      if (this.#stop !== undefined) this.#mergeOrder.pass(step);
      this.#alarm.ring();
    }
  }

  async #handleOutcome(step: PlannedStep, outcome: StepOutcome, startedMs: number): Promise<void> {
    if (outcome.kind === 'failed') return this.#handleFailure(step, outcome.error, startedMs);
    if (outcome.kind === 'reused') this.#reused.add(step.id);
    else this.#pace.succeeded();
    this.#endings.succeed(step);
  }

  async #handleFailure(step: PlannedStep, error: ProviderError, startedMs: number): Promise<void> {
    const isStopping = (): boolean => this.#stop !== undefined;
    if (mayBeCancelled(error) && (await isCancelled(error, this.#cancel.signal, isStopping))) {
      await this.#state.write({ type: 'cancelled', step: step.id });
      return this.#endings.finish(step);
    }
    const isLast = !this.#policy.hasRetry(step);
    const isFree = this.#pace.failed(error, { stepId: step.id, startedMs, isLast });
    if (this.#retry(step, error, isFree)) return;
    const data = error.toJSON();
    const stop = this.#budget.fail(step.id, data, step.continueOnError);
    // The batch stops before the first await: otherwise a step that ends meanwhile would let a new one start.
    if (stop !== undefined) this.stop(stop);
    await this.#endings.fail(step, data);
  }

  /** Skips a step whose condition is false, and the steps that need it. */
  async #skip(step: PlannedStep, skip: StepSkip): Promise<void> {
    this.#active.add(step.id);
    try {
      await this.#endings.skip(step, skip);
    } catch (error) {
      this.crash(error);
    } finally {
      this.#active.delete(step.id);
      this.#alarm.ring();
    }
  }

  /** Plans a retry if one is allowed. Returns true if there will be another attempt, in this run or in the next one. */
  #retry(step: PlannedStep, error: ProviderError, isFree: boolean): boolean {
    const next = isFree ? this.#policy.again() : this.#policy.next(step, error);
    if (next === undefined) return false;
    // The batch was stopped meanwhile. The step stays open and runs when the batch is resumed.
    if (this.#stop !== undefined) {
      this.#endings.finish(step);
      return true;
    }
    this.#delayed.set(step, performance.now() + next.delayMs);
    this.#watchWrite(this.#state.write({ type: 'retry', step: step.id, ...next }));
    const { code, message } = error;
    const attempt = this.#state.stepState(step.id).attempts.length;
    this.#emit({ type: 'step-retry', stepId: step.id, attempt, code, message, ...next });
    return true;
  }

  /** Stops the batch if a write that is not awaited fails. */
  #watchWrite(writing: Promise<void>): void {
    writing.catch((error: unknown) => this.crash(error));
  }

  /**
   * Stops the batch after an unexpected error, for example if the ledger cannot be written, or if another run has taken
   * over the batch. `run()` throws that error.
   */
  crash(error: unknown): void {
    this.#crash ??= error;
    this.#stop ??= { reason: 'cancelled', message: String(error) };
    this.#cancel.abort(takeoverOf(error));
    for (const step of this.#steps) this.#mergeOrder.pass(step);
    this.#alarm.ring();
  }
}
