import type { Matrix } from './element-needs.js';
import type { GivenNeed } from './need-template.js';
import type { PlanPath } from './plan-source.js';
import type { StepReference } from './step-reference.js';

/** A step of the plan with its expanded ids and its dependencies. */
export interface LinkedStep extends Matrix {
  readonly at: PlanPath;
  /** Path of the step's prompt in the plan. */
  readonly promptAt: PlanPath;
  readonly needs: readonly GivenNeed[];
  readonly references: readonly StepReference[];
  /** References of the condition. */
  readonly asked: readonly StepReference[];
  /** Ids of the expanded steps. */
  readonly ids: readonly string[];
  readonly hasData: boolean;
}

/** Dependencies of one expanded step. */
export interface StepLinks {
  readonly needs: readonly string[];
  readonly tolerates?: readonly string[] | undefined;
  readonly elements?: Readonly<Record<string, string>> | undefined;
}

/** The steps of a plan by their ids. */
export interface StepIndex {
  readonly steps: readonly LinkedStep[];
  /** Index of a step by its id in the plan. */
  readonly byId: ReadonlyMap<string, number>;
  /** Index of a matrix by the id of one of its elements. */
  readonly byElement: ReadonlyMap<string, number>;
  /** Describes an id that no step has. */
  describeUnknown(id: string): string;
}
