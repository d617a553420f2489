import type { BatchRunReport, BatchStop, BatchWarning } from '../../api/batch-report.js';
import type { JobReport } from '../../api/job-report.js';
import type { StepSkip } from '../../api/step-report.js';
import type { LedgerEntry, LedgerStep } from './ledger-entry.js';
import { LedgerPace } from './ledger-pace.js';
import { createStepState, type LedgerStepState, type OpenAttempt } from './ledger-step-state.js';

interface OpenRun extends BatchRunReport {
  endedAt: string;
}

/** State of a batch, folded from the entries of its ledger. */
export class LedgerFold {
  name = '';
  planHash = '';
  steps: readonly LedgerStep[] = [];
  readonly runs: OpenRun[] = [];
  warnings: BatchWarning[] = [];
  stop: BatchStop | undefined;
  /** Ids of steps with an attempt that was killed after the last run that ended normally. */
  readonly killed = new Set<string>();
  /** True if the last run ended normally. False if it still runs or was killed. */
  isEnded = false;
  readonly pace = new LedgerPace();
  readonly #stepStates = new Map<string, LedgerStepState>();
  #ends = 0;
  readonly #openAttempts = new Map<string, OpenAttempt>();

  stepState(step: string): LedgerStepState {
    const known = this.#stepStates.get(step);
    if (known !== undefined) return known;
    const created = createStepState();
    this.#stepStates.set(step, created);
    return created;
  }

  accept(entry: LedgerEntry): void {
    if (entry.type === 'plan') this.#beginRun(entry);
    const run = this.runs.at(-1);
    if (run !== undefined) run.endedAt = entry.at;
    this.pace.accept(entry);
    switch (entry.type) {
      case 'start':
        this.#startAttempt(entry);
        break;
      case 'generation':
        this.#nameGeneration(entry);
        break;
      case 'worker':
        this.#nameWorker(entry);
        break;
      case 'attempt':
        this.#endAttempt(entry);
        break;
      case 'saved': {
        const { attempt, key, result, inputs, changes } = entry;
        const state = this.stepState(entry.step);
        state.saved = { attempt, key, result, inputs, changes };
        state.endings++;
        break;
      }
      case 'done':
        this.#finishStep(entry);
        break;
      case 'committed':
        this.stepState(entry.step).committed = { commit: entry.commit };
        break;
      case 'failed': {
        const state = this.stepState(entry.step);
        state.error = entry.error;
        state.saved = undefined;
        break;
      }
      case 'cancelled':
        this.stepState(entry.step).isCancelled = true;
        break;
      case 'skipped': {
        const state = this.stepState(entry.step);
        state.skippedBecauseOf = entry.because;
        state.skip = entry.skip ?? describeNeed(entry.because);
        break;
      }
      case 'open':
        this.stepState(entry.step).isOpen = true;
        break;
      case 'warning':
        this.warnings.push(entry.warning);
        break;
      case 'stop':
        this.stop = entry.stop;
        break;
      case 'end':
        this.isEnded = true;
        this.killed.clear();
        break;
    }
  }

  /** Begins a run: steps that failed, were cancelled or skipped become pending again. */
  #beginRun(entry: LedgerEntry & { readonly type: 'plan' }): void {
    this.closeOpenAttempts();
    this.name = entry.name;
    this.planHash = entry.planHash;
    this.steps = entry.steps;
    this.stop = undefined;
    this.isEnded = false;
    // SAME_FILE stays valid while both results are kept. All other warnings concern the earlier run.
    this.warnings = this.warnings.filter(({ code }) => code === 'SAME_FILE');
    const { at, environment } = entry;
    this.runs.push({ startedAt: at, endedAt: at, ...(environment && { environment }) });
    const leftOut = new Set(entry.leftOut);
    for (const id of leftOut) this.stepState(id);
    for (const [id, state] of this.#stepStates) {
      state.isEarlier = state.done !== undefined;
      state.isLeftOut = leftOut.has(id);
      // A step that this run leaves out stays as the last run has left it.
      if (state.isLeftOut) continue;
      state.isOpen = false;
      state.error = undefined;
      state.isCancelled = false;
      state.skippedBecauseOf = undefined;
      state.skip = undefined;
    }
  }

  /** Ends attempts without an end line as `interrupted`: the batch was killed during them. */
  closeOpenAttempts(): void {
    for (const [step, attempt] of this.#openAttempts) {
      const state = this.stepState(step);
      state.attempts.push({ ...attempt, outcome: 'interrupted', repairs: 0 });
      state.hasInterrupted = true;
      this.killed.add(step);
    }
    this.#openAttempts.clear();
  }

  #startAttempt(entry: LedgerEntry & { readonly type: 'start' }): void {
    const {
      step,
      attempt: number,
      lane,
      at: startedAt,
      prompt,
      parts,
      reason,
      changed,
      model,
    } = entry;
    const state = this.stepState(step);
    // The step ran before with another key. Forget that result, its leftover files and its warnings.
    if (state.done !== undefined) {
      state.done = undefined;
      state.leftFiles.length = 0;
      this.warnings = this.warnings.filter(({ steps }) => !steps.includes(step));
    }
    state.isOpen = false;
    state.saved = undefined;
    state.prompt = prompt;
    state.parts = parts;
    const open = { number, lane, startedAt, reason, changed, ...(model && { model }) };
    this.#openAttempts.set(step, open);
  }

  #nameGeneration({ step, generationId }: LedgerEntry & { readonly type: 'generation' }): void {
    const open = this.#openAttempts.get(step);
    if (open !== undefined) this.#openAttempts.set(step, { ...open, generationId });
  }

  #nameWorker({ step, job }: LedgerEntry & { readonly type: 'worker' }): void {
    const open = this.#openAttempts.get(step);
    if (open !== undefined) this.#openAttempts.set(step, { ...open, job });
  }

  /** Returns the attempt of a step that has begun and has not ended. */
  openAttempt(step: string): OpenAttempt | undefined {
    return this.#openAttempts.get(step);
  }

  #finishStep(entry: LedgerEntry & { readonly type: 'done' }): void {
    const state = this.stepState(entry.step);
    state.done = { key: entry.key, result: entry.result, inputs: entry.inputs };
    state.endings++;
    state.committed = undefined;
    state.saved = undefined;
    state.isEarlier = false;
    state.isOpen = false;
    state.hasInterrupted = false;
    this.#ends++;
    state.endOrder = this.#ends;
    const last = state.attempts.at(-1);
    if (entry.merge !== undefined && last !== undefined) {
      state.attempts[state.attempts.length - 1] = { ...last, mergedAt: entry.at };
    }
  }

  #endAttempt(entry: LedgerEntry & { readonly type: 'attempt' }): void {
    const { type: _, step, at: endedAt, attempt: number, files, ...outcome } = entry;
    const open = this.#openAttempts.get(step);
    this.#openAttempts.delete(step);
    const state = this.stepState(step);
    if (entry.outcome !== 'succeeded') state.endings++;
    const ended = state.attempts.at(-1);
    if (open === undefined && ended?.number === number) {
      // The agent had finished; the merge has failed later.
      state.attempts[state.attempts.length - 1] = {
        ...ended,
        ...outcome,
        ...withJob(outcome.job ?? ended.job),
      };
      state.saved = undefined;
      return;
    }
    this.#ends++;
    state.endOrder = this.#ends;
    state.attempts.push({
      number,
      lane: open?.lane ?? 0,
      startedAt: open?.startedAt ?? endedAt,
      endedAt,
      reason: open?.reason,
      changed: open?.changed,
      ...(open?.model && { model: open.model }),
      ...outcome,
      generationId: outcome.generationId ?? open?.generationId,
      ...withJob(outcome.job ?? open?.job),
    });
    // The `done` line resets this: the batch may be killed between the two lines.
    if (entry.outcome === 'succeeded') state.hasInterrupted = true;
    else if (files !== undefined) state.leftFiles.push(files);
  }
}

/** Describes a skip in a ledger of an earlier version, which names the failed step alone. */
function describeNeed(stepId = ''): StepSkip {
  return { reason: 'need', message: `Step ${stepId}, which it needs, has no result`, stepId };
}

function withJob(job: JobReport | undefined): { readonly job?: JobReport } {
  return job === undefined ? {} : { job };
}
