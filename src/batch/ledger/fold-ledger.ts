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

interface Stretch extends BatchRunReport {
  endedAt: string;
}

/** A batch as its ledger tells it. */
export class LedgerFold {
  name = '';
  planHash = '';
  steps: readonly LedgerStep[] = [];
  readonly stretches: Stretch[] = [];
  warnings: BatchWarning[] = [];
  stop: BatchStop | undefined;
  /** Steps of which an attempt was killed since a run last came to its end. */
  readonly killed = new Set<string>();
  /** Whether the last run came to its end: it may also be at work, or have died. */
  isEnded = false;
  readonly #records = new Map<string, LedgerStepState>();
  readonly #open = new Map<string, Omit<AttemptReport, 'outcome' | 'repairs'>>();

  record(step: string): LedgerStepState {
    const known = this.#records.get(step);
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
    this.#records.set(step, created);
    return created;
  }

  accept(entry: LedgerEntry): void {
    if (entry.type === 'plan') this.#begin(entry);
    const stretch = this.stretches.at(-1);
    if (stretch !== undefined) stretch.endedAt = entry.at;
    switch (entry.type) {
      case 'start':
        this.#start(entry);
        break;
      case 'attempt':
        this.#end(entry);
        break;
      case 'done': {
        const record = this.record(entry.step);
        record.done = { key: entry.key, result: entry.result, inputs: entry.inputs };
        record.isEarlier = false;
        record.isOpen = false;
        record.hasInterrupted = false;
        break;
      }
      case 'failed':
        this.record(entry.step).error = entry.error;
        break;
      case 'cancelled':
        this.record(entry.step).isCancelled = true;
        break;
      case 'skipped':
        this.record(entry.step).skippedBecauseOf = entry.because;
        break;
      case 'open':
        this.record(entry.step).isOpen = true;
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
    this.stretches.push({ startedAt: entry.at, endedAt: entry.at });
    for (const record of this.#records.values()) {
      record.isEarlier = record.done !== undefined;
      record.isOpen = false;
      record.error = undefined;
      record.isCancelled = false;
      record.skippedBecauseOf = undefined;
    }
  }

  /** What was begun and never ended: the batch died. */
  closeOpenAttempts(): void {
    for (const [step, attempt] of this.#open) {
      const record = this.record(step);
      record.attempts.push({ ...attempt, outcome: 'interrupted', repairs: 0 });
      record.hasInterrupted = true;
      this.killed.add(step);
    }
    this.#open.clear();
  }

  #start(entry: LedgerEntry & { readonly type: 'start' }): void {
    const { step, attempt: number, lane, at: startedAt, prompt } = entry;
    const record = this.record(step);
    // Done once, but with another prompt or other inputs: that was another step, in a way.
    if (record.done !== undefined) {
      record.done = undefined;
      record.leftFiles.length = 0;
      this.warnings = this.warnings.filter(({ steps }) => !steps.includes(step));
    }
    record.isOpen = false;
    record.prompt = prompt;
    this.#open.set(step, { number, lane, startedAt });
  }

  #end(entry: LedgerEntry & { readonly type: 'attempt' }): void {
    const { type: _, step, at: endedAt, attempt: number, files, ...outcome } = entry;
    const open = this.#open.get(step);
    this.#open.delete(step);
    const record = this.record(step);
    record.attempts.push({
      number,
      lane: open?.lane ?? 0,
      startedAt: open?.startedAt ?? endedAt,
      endedAt,
      ...outcome,
    });
    // Until it is done: the batch may have died right between the two lines.
    if (entry.outcome === 'succeeded') record.hasInterrupted = true;
    else if (files !== undefined) record.leftFiles.push(files);
  }
}
