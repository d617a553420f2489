import { fail } from '../agents/verdict/create-failure.js';
import type { Failure } from '../agents/verdict/verdict.js';
import type { MissingExpectation } from '../api/expectations.js';

const MOST_NAMED = 3;

export interface RepairState {
  /** Turns that were spent on mending. */
  readonly repairs: number;
  /** Turns that were allowed. */
  readonly repair: number;
  readonly canContinue: boolean;
}

export function failExpectations(
  missing: readonly MissingExpectation[],
  { repairs, repair, canContinue }: RepairState,
): Failure {
  const spent = repairs === 0 ? '' : ` after ${repairs} ${repairs === 1 ? 'repair' : 'repairs'}`;
  const failure = fail(
    'EXPECTATION_FAILED',
    `Not as expected${spent}: ${summariseMissing(missing)}`,
  );
  if (repairs >= repair || canContinue) return { ...failure, missing };
  const hint = 'It could not be mended: the session cannot be gone on with. See `missing`.';
  return { ...failure, hint, missing };
}

/** One line for people. */
export function summariseMissing(missing: readonly MissingExpectation[]): string {
  const named = missing.slice(0, MOST_NAMED).map(({ message }) => message);
  const left = missing.length - named.length;
  return `${named.join('; ')}${left === 0 ? '' : `; and ${left} more`}`;
}
