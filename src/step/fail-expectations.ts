import { fail } from '../agents/verdict/create-failure.js';
import type { Failure } from '../agents/verdict/verdict.js';
import type { MissingExpectation } from '../api/expectations.js';
import { countOf } from '../base/text/count-of.js';

const MOST_NAMED = 3;

export interface RepairState {
  /** Number of repair turns that were taken. */
  readonly repairs: number;
  /** Number of repair turns that the configuration allows. */
  readonly repair: number;
  /** Why no further repair may be made, although the configuration allows one more. */
  readonly obstacle?: string | undefined;
}

/** Creates the EXPECTATION_FAILED failure. The hint says why not all repairs were tried. */
export function failExpectations(
  missing: readonly MissingExpectation[],
  { repairs, repair, obstacle }: RepairState,
): Failure {
  const spent = repairs === 0 ? '' : ` after ${countOf(repairs, 'repair')}`;
  const failure = fail(
    'EXPECTATION_FAILED',
    `Expectations failed${spent}: ${summariseMissing(missing)}`,
  );
  if (repairs >= repair || obstacle === undefined) return { ...failure, missing };
  const hint = `No further repair was made: ${obstacle}. See \`missing\`.`;
  return { ...failure, hint, missing };
}

/** Returns one line for error messages and progress events. */
export function summariseMissing(missing: readonly MissingExpectation[]): string {
  const named = missing.slice(0, MOST_NAMED).map(({ message }) => message);
  const left = missing.length - named.length;
  return `${named.join('; ')}${left === 0 ? '' : `; and ${left} more`}`;
}
