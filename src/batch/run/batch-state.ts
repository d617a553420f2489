import type { BatchReport, BatchWarning, StepReport } from '../../api/batch-report.js';
import { canonicalPath } from '../../base/fs/paths.js';
import { buildReport, buildStepReport, stateOfStep } from '../ledger/build-report.js';
import { LedgerFold, type LedgerStepState } from '../ledger/fold-ledger.js';
import type { LedgerEntry, LedgerStep, NewLedgerEntry } from '../ledger/ledger-entry.js';
import type { Ledger } from '../ledger/ledger-file.js';

/** What the batch knows, and the ledger in which it is written down at the same time. */
export class BatchState {
  readonly #fold = new LedgerFold();
  readonly #ledger: Ledger;
  readonly #written = new Map<string, string | undefined>();
  readonly #torn: readonly BatchWarning[];
  #steps: ReadonlyMap<string, LedgerStep> = new Map();

  constructor(ledger: Ledger, entries: readonly LedgerEntry[], tornLines = 0) {
    this.#ledger = ledger;
    for (const entry of entries) this.#accept(entry);
    this.#fold.closeOpenAttempts();
    this.#torn = tornLines === 0 ? [] : [describeTorn(tornLines)];
  }

  /** Steps of which an attempt was killed since a run last came to its end. */
  get killed(): ReadonlySet<string> {
    return this.#fold.killed;
  }

  /** Resolves when it is on the disk. */
  async write(entry: NewLedgerEntry): Promise<void> {
    const dated = { ...entry, at: new Date().toISOString() };
    this.#accept(dated);
    await this.#ledger.append(dated);
  }

  hasSucceeded(step: string): boolean {
    return stateOfStep(this.#fold.stepState(step)) === 'succeeded';
  }

  stepState(step: string): LedgerStepState {
    return this.#fold.stepState(step);
  }

  /** By canonical path: the last hash of each file that a step of the batch has left. */
  get writtenByBatch(): ReadonlyMap<string, string | undefined> {
    return this.#written;
  }

  stepReport(id: string): StepReport {
    const step = this.#steps.get(id);
    if (step === undefined) throw new Error(`no step ${id} in the plan`);
    return buildStepReport(step, this.#fold.stepState(id));
  }

  report(): BatchReport {
    const report = buildReport(this.#fold);
    return { ...report, warnings: [...this.#torn, ...report.warnings] };
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

function describeTorn(lines: number): BatchWarning {
  const what = lines === 1 ? '1 line' : `${lines} lines`;
  const message = `${what} of the ledger torn, as when a batch is killed while it writes; what was said there is done again`;
  return { code: 'TORN_LEDGER', message, steps: [] };
}
