/** Dependency on one element of another matrix: the element with the same values in the keys that both matrices have. */
export interface ElementNeed {
  /** Id of the other matrix in the plan. */
  readonly each: string;
}

/**
 * A need of a step: the id of a step, of a whole matrix (`convert`) or of one element (`convert[src/a.js]`), in which
 * variables are filled in (`convert[{{file}}]`), or `{ each: 'convert' }`.
 */
export type StepNeed = string | ElementNeed;
