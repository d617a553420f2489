import type { StepReference } from '../step-reference.js';

export type ComparisonOperator = '==' | '!=' | '<' | '<=' | '>' | '>=' | 'contains';

/** A parsed condition of a step. */
export type Condition =
  | { readonly kind: 'and' | 'or'; readonly parts: readonly Condition[] }
  | { readonly kind: 'not'; readonly part: Condition }
  | {
      readonly kind: 'compare';
      readonly operator: ComparisonOperator;
      readonly left: Condition;
      readonly right: Condition;
    }
  | { readonly kind: 'literal'; readonly value: string | number | boolean | null }
  | { readonly kind: 'variable'; readonly name: string }
  | { readonly kind: 'reference'; readonly reference: StepReference };

/** A part of the text of a condition. Positions count characters from 0; `end` is after the last one. */
export interface ConditionToken {
  readonly start: number;
  readonly end: number;
  readonly content:
    | Extract<Condition, { readonly kind: 'literal' | 'variable' | 'reference' }>
    | { readonly kind: 'operator'; readonly operator: ComparisonOperator }
    | { readonly kind: 'word'; readonly word: 'and' | 'or' | 'not' | '(' | ')' };
}

/** A fault in the text of a condition. */
export class ConditionFault extends Error {
  /** Position of the fault in the text, from 0. */
  readonly position: number;

  constructor(problem: string, position: number) {
    super(problem);
    this.position = position;
  }
}
