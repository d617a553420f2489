import type {
  AttemptReport,
  BatchRunReport,
  BatchStop,
  BatchWarning,
} from '../../api/batch-report.js';
import type { ProviderErrorData } from '../../api/error.js';
import type { ManifestFile } from '../../api/manifest.js';
import type { LedgerEntry, LedgerStep, StepResult } from './ledger-entry.js';

/** What the ledger knows of one step. */
export interface LedgerStepState {
  prompt: string | undefined;
  readonly attempts: AttemptReport[];
  /** What attempts that failed have left in the workspace, since the step was last done. */
  readonly leftFiles: (readonly ManifestFile[])[];
  /** An attempt has written what the ledger does not have. */
  hasInterrupted: boolean;
  done:
    | { readonly key: string; readonly result: StepResult; readonly inputs: InputHashes }
    | undefined;
  /** Whether it was done in an earlier run of the batch. */
  isEarlier: boolean;
  /** Done in an earlier run, but not what the plan asks for now. */
  isOpen: boolean;
  error: ProviderErrorData | undefined;
  isCancelled: boolean;
  skippedBecauseOf: string | undefined;
}

export type InputHashes = Readonly<Record<string, string>>;

interface OpenRun extends BatchRunReport {
  endedAt: string;
}

/** A batch as its ledger tells it. */
export class LedgerFold {
  name = '';
  planHash = '';
  steps: readonly LedgerStep[] = [];
  readonly runs: OpenRun[] = [];
  warnings: BatchWarning[] = [];
  stop: BatchStop | undefined;
  /** Steps of which an attempt was killed since a run last came to its end. */
  readonly killed = new Set<string>();
  /** Whether the last run came to its end: it may also be at work, or have died. */
  isEnded = false;
  readonly #stepStates = new Map<string, LedgerStepState>();
  readonly #open = new Map<string, Omit<AttemptReport, 'outcome' | 'repairs'>>();

  stepState(step: string): LedgerStepState {
    const known = this.#stepStates.get(step);
    if (known !== undefined) return known;
    const created: LedgerStepState = {
      prompt: undefined,
      attempts: [],
      leftFiles: [],
      hasInterrupted: false,
      done: undefined,
      isEarlier: false,
      isOpen: false,
      error: undefined,
      isCancelled: false,
      skippedBecauseOf: undefined,
    };
    this.#stepStates.set(step, created);
    return created;
  }

  accept(entry: LedgerEntry): void {
    if (entry.type === 'plan') this.#begin(entry);
    const run = this.runs.at(-1);
    if (run !== undefined) run.endedAt = entry.at;
    switch (entry.type) {
      case 'start':
        this.#start(entry);
        break;
      case 'generation':
        this.#nameGeneration(entry);
        break;
      case 'attempt':
        this.#end(entry);
        break;
      case 'done': {
        const state = this.stepState(entry.step);
        state.done = { key: entry.key, result: entry.result, inputs: entry.inputs };
        state.isEarlier = false;
        state.isOpen = false;
        state.hasInterrupted = false;
        break;
      }
      case 'failed':
        this.stepState(entry.step).error = entry.error;
        break;
      case 'cancelled':
        this.stepState(entry.step).isCancelled = true;
        break;
      case 'skipped':
        this.stepState(entry.step).skippedBecauseOf = entry.because;
        break;
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

  /** A new run: what was not done is open again. */
  #begin(entry: LedgerEntry & { readonly type: 'plan' }): void {
    this.closeOpenAttempts();
    this.name = entry.name;
    this.planHash = entry.planHash;
    this.steps = entry.steps;
    this.stop = undefined;
    this.isEnded = false;
    // What two steps did to the same file stays true; everything else was about an earlier run.
    this.warnings = this.warnings.filter(({ code }) => code === 'SAME_FILE');
    this.runs.push({ startedAt: entry.at, endedAt: entry.at });
    for (const state of this.#stepStates.values()) {
      state.isEarlier = state.done !== undefined;
      state.isOpen = false;
      state.error = undefined;
      state.isCancelled = false;
      state.skippedBecauseOf = undefined;
    }
  }

  /** What was begun and never ended: the batch died. */
  closeOpenAttempts(): void {
    for (const [step, attempt] of this.#open) {
      const state = this.stepState(step);
      state.attempts.push({ ...attempt, outcome: 'interrupted', repairs: 0 });
      state.hasInterrupted = true;
      this.killed.add(step);
    }
    this.#open.clear();
  }

  #start(entry: LedgerEntry & { readonly type: 'start' }): void {
    const { step, attempt: number, lane, at: startedAt, prompt } = entry;
    const state = this.stepState(step);
    // Done once, but with another prompt or other inputs: that was another step, in a way.
    if (state.done !== undefined) {
      state.done = undefined;
      state.leftFiles.length = 0;
      this.warnings = this.warnings.filter(({ steps }) => !steps.includes(step));
    }
    state.isOpen = false;
    state.prompt = prompt;
    this.#open.set(step, { number, lane, startedAt });
  }

  #nameGeneration({ step, generationId }: LedgerEntry & { readonly type: 'generation' }): void {
    const open = this.#open.get(step);
    if (open !== undefined) this.#open.set(step, { ...open, generationId });
  }

  #end(entry: LedgerEntry & { readonly type: 'attempt' }): void {
    const { type: _, step, at: endedAt, attempt: number, files, ...outcome } = entry;
    const open = this.#open.get(step);
    this.#open.delete(step);
    const state = this.stepState(step);
    state.attempts.push({
      number,
      lane: open?.lane ?? 0,
      startedAt: open?.startedAt ?? endedAt,
      endedAt,
      ...outcome,
      generationId: outcome.generationId ?? open?.generationId,
    });
    // Until it is done: the batch may have died right between the two lines.
    if (entry.outcome === 'succeeded') state.hasInterrupted = true;
    else if (files !== undefined) state.leftFiles.push(files);
  }
}
