import type { ConfigProblem } from './error.js';

/** A problem in a plan. */
export interface PlanProblem extends ConfigProblem {
  /** Path of the plan file. Absent for a plan from code. */
  readonly file?: string | undefined;
  /** Line in the plan file, from 1. Absent if it is not known. */
  readonly line?: number | undefined;
  /** Step that has the problem: its id, or its index as `steps[3]`. */
  readonly step?: string | undefined;
}
