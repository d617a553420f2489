import type { AttemptReason } from '../../api/step-report.js';
import type { KeyParts } from '../ledger/ledger-entry.js';
import type { LedgerStepState } from '../ledger/ledger-step-state.js';

/** Why a step runs. Without `reason`, the ledger is too old to tell. */
export interface RerunReason {
  readonly reason?: AttemptReason | undefined;
  /** Keys of the configuration, or paths of files, that have changed. */
  readonly changed?: readonly string[] | undefined;
}

export interface RerunRequest {
  readonly known: Pick<LedgerStepState, 'attempts' | 'done' | 'saved' | 'parts'>;
  readonly key: string;
  readonly parts: KeyParts;
  /** True if an attempt of the step has failed in this run. */
  readonly isRetry: boolean;
  /** True if lines of the ledger are damaged or missing. */
  readonly isDamaged: boolean;
  /** Lists the inputs that have changed since the step was done or saved. Called only if nothing else has changed. */
  readonly findChangedInputs: () => Promise<readonly string[]>;
}

/** Finds out why a step has to run, although earlier runs may have a result. */
export async function findRerunReason(request: RerunRequest): Promise<RerunReason> {
  const { known, key, parts, isRetry, isDamaged } = request;
  if (isRetry) return { reason: 'retry' };
  const last = known.attempts.at(-1);
  const earlier = known.done ?? known.saved;
  if (earlier === undefined) return { reason: reasonOfAttempt(last?.outcome, isDamaged) };
  if (earlier.key !== key) return compareParts(known.parts, parts);
  const changed = await request.findChangedInputs();
  if (changed.length > 0) return { reason: 'inputs', changed };
  // Saved changes that match the plan would have been merged.
  return known.done === undefined ? { reason: 'damaged' } : {};
}

function reasonOfAttempt(outcome: string | undefined, isDamaged: boolean): AttemptReason {
  if (outcome === undefined) return isDamaged ? 'damaged' : 'new';
  if (outcome === 'CANCELLED') return 'cancelled';
  // The attempt has ended, but its result is not in the ledger: the line was lost, or the batch was killed before it.
  if (outcome === 'succeeded') return isDamaged ? 'damaged' : 'interrupted';
  return outcome === 'interrupted' || outcome === 'running' ? 'interrupted' : 'failed';
}

/** Names the part of the key that has changed. Ledgers of earlier versions have no parts. */
export function compareParts(before: KeyParts | undefined, now: KeyParts): RerunReason {
  if (before === undefined) return {};
  if (before.prompt !== now.prompt) return { reason: 'prompt' };
  const keys = new Set([...Object.keys(before.config), ...Object.keys(now.config)]);
  const changed = [...keys].filter((key) => before.config[key] !== now.config[key]).sort();
  if (changed.length > 0) return { reason: 'configuration', changed };
  return before.needs === now.needs ? {} : { reason: 'needs' };
}

const WORDS: Readonly<Record<AttemptReason, string>> = {
  new: 'new',
  prompt: 'prompt changed',
  configuration: 'configuration changed',
  inputs: 'input changed',
  needs: 'results of needed steps changed',
  failed: 'failed before',
  cancelled: 'cancelled before',
  interrupted: 'interrupted before',
  retry: 'retry',
  damaged: 'result was damaged',
};

/** Most names of changed keys or files in a description. */
const MOST_NAMES = 3;

/** Describes in words why a step runs. An empty text if the reason is not known. */
export function describeRerun({ reason, changed = [] }: RerunReason): string {
  if (reason === undefined) return '';
  const more = changed.length - MOST_NAMES;
  const names = [...changed.slice(0, MOST_NAMES), ...(more > 0 ? [`${more} more`] : [])];
  return names.length === 0 ? WORDS[reason] : `${WORDS[reason]}: ${names.join(', ')}`;
}
