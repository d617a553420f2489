import type { ProviderErrorData } from '../../api/error.js';
import type { ManifestFile } from '../../api/manifest.js';
import type { AttemptReport, StepSkip } from '../../api/step-report.js';
import type { KeyParts, LedgerEntry, StepResult } from './ledger-entry.js';

/** State of one step according to the ledger. */
export interface LedgerStepState {
  prompt: string | undefined;
  /** Parts of the key of the last attempt. Undefined in ledgers of earlier versions. */
  parts: KeyParts | undefined;
  readonly attempts: AttemptReport[];
  /**
   * Number of outcomes that the ledger has: failed attempts, saved changes and results. An attempt without one may have
   * a job that still runs or has ended meanwhile.
   */
  endings: number;
  /** Files that failed attempts left in the workspace since the step was last done, per attempt. */
  readonly leftFiles: (readonly ManifestFile[])[];
  /** True if an attempt ended without a `done` line and may have written files that the ledger does not list. */
  hasInterrupted: boolean;
  done:
    | { readonly key: string; readonly result: StepResult; readonly inputs: InputHashes }
    | undefined;
  /** Commit of the result in `done`, without a name if there was nothing to commit. Undefined as long as none is made. */
  committed: { readonly commit?: string | undefined } | undefined;
  /** Attempt that has succeeded and whose changes are saved, but not merged yet. */
  saved: SavedAttempt | undefined;
  /** True if the step was done in an earlier run of the batch. */
  isEarlier: boolean;
  /** True if the step was done in an earlier run, but its result no longer matches the plan. */
  isOpen: boolean;
  error: ProviderErrorData | undefined;
  isCancelled: boolean;
  skippedBecauseOf: string | undefined;
  skip: StepSkip | undefined;
  /** True if the last run was told to leave the step out. */
  isLeftOut: boolean;
  /** Index of the end of the last attempt among all ends in the ledger. Wall clocks of two runs may differ. */
  endOrder: number;
}

export type SavedAttempt = Pick<
  LedgerEntry & { readonly type: 'saved' },
  'attempt' | 'key' | 'result' | 'inputs' | 'changes'
>;

/** An attempt that has begun and has not ended. */
export type OpenAttempt = Omit<AttemptReport, 'outcome' | 'repairs'>;

export type InputHashes = Readonly<Record<string, string>>;

/** Returns the state of a step that the ledger does not mention. */
export function createStepState(): LedgerStepState {
  return {
    prompt: undefined,
    parts: undefined,
    attempts: [],
    endings: 0,
    leftFiles: [],
    hasInterrupted: false,
    done: undefined,
    committed: undefined,
    saved: undefined,
    isEarlier: false,
    isOpen: false,
    error: undefined,
    isCancelled: false,
    skippedBecauseOf: undefined,
    skip: undefined,
    isLeftOut: false,
    endOrder: 0,
  };
}
