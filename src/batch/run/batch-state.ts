import type { BatchReport, BatchWarning } from '../../api/batch-report.js';
import type { StepReport, StepState } from '../../api/step-report.js';
import { canonicalPath } from '../../base/fs/paths.js';
import { buildReport, buildStepReport, stateOfStep } from '../ledger/build-report.js';
import { LedgerFold } from '../ledger/fold-ledger.js';
import type { LedgerEntry, LedgerStep, NewLedgerEntry } from '../ledger/ledger-entry.js';
import type { Ledger } from '../ledger/ledger-file.js';
import type { LedgerStepState } from '../ledger/ledger-step-state.js';
import { RunClock } from './run-clock.js';

/** State of a batch in memory. Each change is also written to the ledger. */
export class BatchState {
  readonly #fold = new LedgerFold();
  readonly #ledger: Ledger;
  readonly #written = new Map<string, string | undefined>();
  readonly #clock = new RunClock();
  /** Warnings about the ledger itself: they are not in the ledger. */
  readonly #ledgerWarnings: readonly BatchWarning[];
  #steps: ReadonlyMap<string, LedgerStep> = new Map();

  constructor(
    ledger: Ledger,
    entries: readonly LedgerEntry[],
    ledgerWarnings: readonly BatchWarning[] = [],
  ) {
    this.#ledger = ledger;
    for (const entry of entries) this.#accept(entry);
    this.#fold.closeOpenAttempts();
    this.#ledgerWarnings = ledgerWarnings;
  }

  /** Steps with an attempt that was killed after the last run that ended normally. */
  get killed(): ReadonlySet<string> {
    return this.#fold.killed;
  }

  /** True if lines of the ledger are damaged or missing. */
  get isDamaged(): boolean {
    return this.#ledgerWarnings.some(({ code }) => code === 'DAMAGED_LEDGER');
  }

  /** Adds an entry to the state and the ledger. Resolves when the entry is on the disk. */
  async write(entry: NewLedgerEntry): Promise<void> {
    const dated = { ...entry, at: this.#clock.timestamp() };
    this.#accept(dated);
    await this.#ledger.append(dated);
  }

  hasSucceeded(step: string): boolean {
    return this.stateOf(step) === 'succeeded';
  }

  stateOf(step: string): StepState {
    return stateOfStep(this.#fold.stepState(step));
  }

  /** Ids of the saved changes of these steps that are not merged yet. */
  savedChanges(steps: readonly { readonly id: string }[]): ReadonlySet<string> {
    return new Set(steps.flatMap(({ id }) => this.#fold.stepState(id).saved?.changes ?? []));
  }

  stepState(step: string): LedgerStepState {
    return this.#fold.stepState(step);
  }

  /** Last hash of each file that a finished step has written, by canonical path; undefined if the step deleted it. */
  get writtenByBatch(): ReadonlyMap<string, string | undefined> {
    return this.#written;
  }

  stepReport(id: string): StepReport {
    const step = this.#steps.get(id);
    if (step === undefined) throw new Error(`The plan in the ledger has no step ${id}`);
    return buildStepReport(step, this.#fold.stepState(id));
  }

  /** Builds the report: of the batch at work if `isAlive` is true. */
  report(isAlive = false): BatchReport {
    const report = buildReport(this.#fold, { isAlive, now: this.#clock.timestamp() });
    return { ...report, warnings: [...this.#ledgerWarnings, ...report.warnings] };
  }

  #accept(entry: LedgerEntry): void {
    this.#fold.accept(entry);
    if (entry.type === 'plan') this.#steps = new Map(entry.steps.map((step) => [step.id, step]));
    if (entry.type !== 'done') return;
    for (const { absolutePath, sha256After } of entry.result.files) {
      this.#written.set(canonicalPath(absolutePath), sha256After);
    }
  }
}
