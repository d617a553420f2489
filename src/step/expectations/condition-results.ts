import type { ExpectationReport, MissingExpectation } from '../../api/expectations.js';
import { shorten } from './wording.js';

/** Conditions whose results are reported. */
const MOST_RESULTS = 100;
const LONGEST_MESSAGE = 1_000;
const LONGEST_DETAIL = 4_000;

interface CollectedResults {
  readonly missing: readonly MissingExpectation[];
  readonly results: readonly ExpectationReport[];
}

/** Collects what is not met, and the results of all conditions in a bounded form. */
export class ConditionResults {
  readonly missing: MissingExpectation[] = [];
  readonly results: ExpectationReport[] = [];

  /** @param found what is not met of this condition; empty if the condition is met */
  add(kind: ExpectationReport['kind'], name: string, found: readonly MissingExpectation[]): void {
    this.missing.push(...found);
    if (this.results.length >= MOST_RESULTS) return;
    const [first] = found;
    const result = { kind, name: shorten(name), passed: first === undefined };
    this.results.push(first === undefined ? result : { ...result, ...boundsOf(first) });
  }

  /** Adds results that were collected elsewhere. */
  addAll({ missing, results }: CollectedResults): void {
    this.missing.push(...missing);
    this.results.push(...results.slice(0, MOST_RESULTS - this.results.length));
  }
}

function boundsOf({ message, detail }: MissingExpectation) {
  return {
    message: message.slice(0, LONGEST_MESSAGE),
    ...(detail === undefined ? {} : { detail: detail.slice(-LONGEST_DETAIL) }),
  };
}
