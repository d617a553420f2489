import type { ConfigProblem } from './error.js';
import type { Expectations } from './expectations.js';

/**
 * Folder in which a step works: the working directory itself (`shared`), a git worktree (`worktree`), or a copy of the
 * folder (`copy`). Changes of a worktree or a copy are merged back when the step has finished, see `mergeOrder`.
 */
export type Isolation = 'shared' | 'worktree' | 'copy';

/**
 * Order in which changes of isolated steps are merged: `finish`, as steps finish; `plan`, in the order of the plan, so
 * that a finished step waits for the slower steps before it.
 */
export type MergeOrderOption = 'finish' | 'plan';

/** Value of a variable in a plan. */
export type PlanVariable = string | number | boolean;

/** Settings of a step beside the keys of the provider's configuration. */
export interface StepSettings {
  /**
   * Values for `{{name}}` in prompts. Values of a step override those of the plan.
   *
   * @defaultValue `{}`
   */
  readonly vars?: Readonly<Record<string, PlanVariable>> | undefined;
  /**
   * Further attempts after a retryable failure.
   *
   * @defaultValue `2`
   */
  readonly retries?: number | undefined;
  /**
   * Conditions to check after a successful turn. In a plan, `expects.json` may also be the path of a schema file.
   *
   * @defaultValue none
   */
  readonly expects?: Expectations | undefined;
  /**
   * Further turns in the same session to repair failed conditions of `expects`, from 0 to 10.
   *
   * @defaultValue `0`
   */
  readonly repair?: number | undefined;
  /**
   * Folder in which the step works: `shared`, `worktree` or `copy`.
   *
   * @defaultValue `'shared'`
   */
  readonly isolation?: Isolation | undefined;
  /**
   * Globs of files that the step depends on. A finished step runs again if one of these files changes.
   *
   * @defaultValue `[]`
   */
  readonly inputs?: readonly string[] | undefined;
}

/** A step as the plan has it. Every key of the provider's configuration is allowed too. */
export interface PlanStep extends StepSettings {
  /** Unique id: letters, digits, `.`, `_`, `-` and `/`. */
  readonly id: string;
  /**
   * Prompt of the step. Replaces `{{variable}}`, `{{steps.ID.text}}`, `{{steps.ID.files}}` and `{{steps.ID.data}}`.
   * A step has either `prompt` or `promptFile`.
   */
  readonly prompt?: string | undefined;
  /** File with the prompt, relative to the folder of the plan. A step has either `prompt` or `promptFile`. */
  readonly promptFile?: string | undefined;
  /**
   * Ids of steps that must succeed first. References in the prompt count too.
   *
   * @defaultValue `[]`
   */
  readonly needs?: readonly string[] | undefined;
  /**
   * Matrix: one step for each file that matches a glob (`{ file: "src/*.ts" }`) or for each value of a list. Several
   * keys give one step for each combination.
   *
   * @defaultValue none: a single step
   */
  readonly for?: Readonly<Record<string, string | readonly PlanVariable[]>> | undefined;
  readonly [configKey: string]: unknown;
}

/** Limits of one run of a batch. A resumed batch counts from zero. */
export interface BatchLimits {
  /**
   * Steps that may run at the same time.
   *
   * @defaultValue `4`
   */
  readonly concurrency?: number | undefined;
  /**
   * Start no more steps once the batch has used this many tokens.
   *
   * @defaultValue no limit
   */
  readonly maxTotalTokens?: number | undefined;
  /**
   * Start no more steps after this many seconds.
   *
   * @defaultValue no limit
   */
  readonly maxDuration?: number | undefined;
  /**
   * Start no more steps after this many failed steps.
   *
   * @defaultValue no limit
   */
  readonly maxFailures?: number | undefined;
  /**
   * Retries that all steps may use together.
   *
   * @defaultValue no limit
   */
  readonly maxRetries?: number | undefined;
  /**
   * Start no more steps after the first failed step.
   *
   * @defaultValue `false`
   */
  readonly failFast?: boolean | undefined;
  /**
   * Order in which changes of isolated steps are merged: as steps finish, or in the order of the plan.
   *
   * @defaultValue `'finish'`
   */
  readonly mergeOrder?: MergeOrderOption | undefined;
}

/** A plan: the steps of a batch, with their defaults and limits. */
export interface BatchPlan extends BatchLimits {
  /**
   * Name of the batch, shown in reports.
   *
   * @defaultValue the name of the plan file, or `plan` for a plan from code
   */
  readonly name?: string | undefined;
  /**
   * Values for `{{name}}` in the prompts of all steps.
   *
   * @defaultValue `{}`
   */
  readonly vars?: Readonly<Record<string, PlanVariable>> | undefined;
  /**
   * Settings and keys of the provider's configuration for all steps. A step may override each of them.
   *
   * @defaultValue `{}`
   */
  readonly defaults?: (StepSettings & Readonly<Record<string, unknown>>) | undefined;
  /** Steps of the batch. At least one. */
  readonly steps: readonly PlanStep[];
}

/** A problem in a plan. */
export interface PlanProblem extends ConfigProblem {
  /** Path of the plan file. Absent for a plan from code. */
  readonly file?: string | undefined;
  /** Line in the plan file, from 1. Absent if it is not known. */
  readonly line?: number | undefined;
  /** Step that has the problem: its id, or its index as `steps[3]`. */
  readonly step?: string | undefined;
}

/** A step that is ready to run: `for` is expanded, defaults are merged, paths are absolute. */
export interface PlannedStep {
  /** Id of the step. A step of a matrix has its values in brackets: `convert[src/a.ts]`. */
  readonly id: string;
  /** Id in the plan. All steps of a matrix have the same one. */
  readonly planId: string;
  /** Index of the step in the expanded plan, from 0. */
  readonly index: number;
  /** Prompt with all variables filled in. References to other steps are filled in when the step starts. */
  readonly prompt: string;
  /** Absolute path of the file that the prompt was read from. */
  readonly promptFile?: string | undefined;
  /** Ids of the steps that must succeed first, with those that the prompt refers to. */
  readonly needs: readonly string[];
  /** Further attempts after a retryable failure. */
  readonly retries: number;
  /** Conditions to check after a successful turn. */
  readonly expects?: Expectations | undefined;
  /** Further turns to repair failed conditions of `expects`. */
  readonly repair: number;
  /** Folder in which the step works. */
  readonly isolation: Isolation;
  /** Absolute paths of the files that the step depends on, those of `for` included, sorted. */
  readonly inputs: readonly string[];
  /** Keys of the provider's configuration. `workingDir` is absolute. */
  readonly config: Readonly<Record<string, unknown>>;
}

/** A plan that passed all checks, with its matrices expanded. `readPlan` returns it. */
export interface ExpandedPlan {
  /** Name of the batch. */
  readonly name: string;
  /** Absolute path of the plan file. Absent for a plan from code. */
  readonly file?: string | undefined;
  /** Absolute path of the folder to which paths in the plan are relative. */
  readonly baseDir: string;
  /** Limits that the plan sets. */
  readonly limits: BatchLimits;
  /** Steps in the order of the plan. */
  readonly steps: readonly PlannedStep[];
  /** SHA-256 of limits and steps. The same plan has the same hash on every machine. */
  readonly hash: string;
}
