import type { ConfigProblem } from './error.js';
import type { Expectations } from './expectations.js';

export type Isolation = 'shared' | 'worktree' | 'copy';

export type PlanVariable = string | number | boolean;

/** What a step may say beside the keys of the provider's configuration. */
export interface StepSettings {
  /** Values for `{{name}}` in prompts. Those of a step win over those of the plan. */
  readonly vars?: Readonly<Record<string, PlanVariable>> | undefined;
  /** Further attempts after a failure that may be retried. Default 2. */
  readonly retries?: number | undefined;
  readonly expects?: Expectations | undefined;
  /** Further turns in the same session to mend what `expects` found missing. Default 0. */
  readonly repair?: number | undefined;
  /** Where the step runs. Default `shared`: in the working directory itself. */
  readonly isolation?: Isolation | undefined;
  /** Globs of files the step depends on: it runs again when one of them changes. Default: none. */
  readonly inputs?: readonly string[] | undefined;
}

/** A step as the plan's file has it; it may also have any key of the provider's configuration. */
export interface PlanStep extends StepSettings {
  /** Letters, digits, `.`, `_`, `-` and `/`; unique in the plan. */
  readonly id: string;
  /** May name `{{variables}}`, `{{steps.ID.text}}`, `{{steps.ID.files}}` and `{{steps.ID.data}}`. */
  readonly prompt?: string | undefined;
  /** In place of `prompt`; relative to the plan's file. */
  readonly promptFile?: string | undefined;
  /** Steps that must have succeeded before. */
  readonly needs?: readonly string[] | undefined;
  /** One step for each match: `{ file: "src/*.ts" }`, or for each value of a list. Two keys: every pair. */
  readonly for?: Readonly<Record<string, string | readonly PlanVariable[]>> | undefined;
  readonly [configKey: string]: unknown;
}

/** Of one run of a batch: resumed, it begins to count anew. */
export interface BatchLimits {
  /** Steps at the same time. Default 4. */
  readonly concurrency?: number | undefined;
  /** Admit no more steps once this many tokens are used. Default: no limit. */
  readonly maxTotalTokens?: number | undefined;
  /** Admit no more steps after this many seconds. Default: no limit. */
  readonly maxDuration?: number | undefined;
  /** Admit no more steps after this many failures. Default: no limit. */
  readonly maxFailures?: number | undefined;
  /** Retries of all steps together. Default: no limit. */
  readonly maxRetries?: number | undefined;
  /** Admit no more steps after the first failure. Default false. */
  readonly failFast?: boolean | undefined;
}

export interface BatchPlan extends BatchLimits {
  /** Shown in reports. Default: the name of the plan's file. */
  readonly name?: string | undefined;
  readonly vars?: Readonly<Record<string, PlanVariable>> | undefined;
  /** For every step that does not say otherwise: settings and keys of the provider's configuration. */
  readonly defaults?: (StepSettings & Readonly<Record<string, unknown>>) | undefined;
  readonly steps: readonly PlanStep[];
}

/** Something wrong in a plan. */
export interface PlanProblem extends ConfigProblem {
  /** The plan's file; absent for a plan from code. */
  readonly file?: string | undefined;
  /** From 1 on. */
  readonly line?: number | undefined;
  /** The step it is about, by its id or `steps[3]`. */
  readonly step?: string | undefined;
}

/** A step ready to run: matrix expanded, defaults merged, paths absolute. */
export interface PlannedStep {
  /** `convert[src/a.ts]` for a step of a matrix. */
  readonly id: string;
  /** The id in the plan. */
  readonly planId: string;
  /** Index in the order of the plan, from 0 on. */
  readonly index: number;
  /** Variables of the plan and of `for` are filled in; references to steps are not. */
  readonly prompt: string;
  /** Where the prompt came from. */
  readonly promptFile?: string | undefined;
  /** Ids of planned steps, those that the prompt refers to included. */
  readonly needs: readonly string[];
  readonly retries: number;
  readonly expects?: Expectations | undefined;
  readonly repair: number;
  readonly isolation: Isolation;
  /** Absolute paths of the files it depends on, sorted. */
  readonly inputs: readonly string[];
  /** Keys of the provider's configuration, `workingDir` absolute. */
  readonly config: Readonly<Record<string, unknown>>;
}

/** A plan that passed every check, in an order in which each step comes after those it needs. */
export interface ExpandedPlan {
  readonly name: string;
  /** The plan's file, absolute. */
  readonly file?: string | undefined;
  /** Paths in the plan are relative to this folder. */
  readonly baseDir: string;
  readonly limits: BatchLimits;
  /** In the order of the plan. */
  readonly steps: readonly PlannedStep[];
  /** Of everything above: the same plan gives the same hash. */
  readonly hash: string;
}
