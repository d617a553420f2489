import type { BatchLimits } from './batch-limits.js';
import type { Expectations } from './expectations.js';
import type { FinishSettings } from './finish-settings.js';
import type { ProviderConfig } from './provider-config.js';
import type { StepNeed } from './step-need.js';

/**
 * Folder in which a step works: the working directory itself (`shared`), a git worktree (`worktree`), or a copy of the
 * folder (`copy`). Changes of a worktree or a copy are merged back when the step has finished, see `mergeOrder`.
 */
export type Isolation = 'shared' | 'worktree' | 'copy';

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
  readonly inputs?: string | readonly string[] | undefined;
  /**
   * Let the batch go on if the step fails: steps that need it run, with an empty result, and the failure counts neither
   * for `failFast` and `maxFailures` nor for the outcome of the batch.
   *
   * @defaultValue `false`
   */
  readonly continueOnError?: boolean | undefined;
  /**
   * Models to try one after another, each with its own `retries`, if the model of the step has failed with an error where
   * another model may help.
   *
   * @defaultValue `[]`
   */
  readonly fallbackModel?: string | readonly string[] | undefined;
  /**
   * Commit the files that the step changed, on the current branch, once they are merged: `true`, or the message of the
   * commit, in which `{{id}}`, `{{text}}` (the answer) and variables are filled in. Git hooks do not run.
   *
   * @defaultValue `false`
   */
  readonly commit?: boolean | string | undefined;
}

/** Settings and keys of the provider's configuration for all steps of a plan. */
export interface PlanDefaults extends StepSettings, ProviderConfig {
  /** Belongs to a step: all steps would share one session. */
  readonly sessionId?: undefined;
  /** Belongs to a step: all steps would share one session. */
  readonly resume?: undefined;
}

/** A step as the plan has it. Every key of the provider's configuration is allowed too. */
export interface PlanStep extends StepSettings, ProviderConfig {
  /** Unique id: letters, digits, `.`, `_`, `-` and `/`. */
  readonly id: string;
  /**
   * Prompt of the step. Replaces `{{variable}}` and `{{steps.ID.field}}` with the fields `text`, `files`, `data`, `state`
   * and `error`. A step has either `prompt` or `promptFile`.
   */
  readonly prompt?: string | undefined;
  /** File with the prompt, relative to the folder of the plan. A step has either `prompt` or `promptFile`. */
  readonly promptFile?: string | undefined;
  /**
   * Steps that must succeed first: ids, or `{ each: ID }` for the element of another matrix with the same values.
   * References in the prompt and in `when` count too.
   *
   * @defaultValue `[]`
   */
  readonly needs?: StepNeed | readonly StepNeed[] | undefined;
  /**
   * Condition on variables and earlier results: `steps.check.data.ok == true`. The step is skipped if it is false.
   *
   * @defaultValue none: the step runs
   */
  readonly when?: string | boolean | undefined;
  /**
   * Matrix: one step for each file that matches a glob (`{ file: "src/*.ts" }`) or for each value of a list. Several
   * keys give one step for each combination.
   *
   * @defaultValue none: a single step
   */
  readonly for?: Readonly<Record<string, string | readonly PlanVariable[]>> | undefined;
}

/** A plan: the steps of a batch, with their defaults and limits. */
export interface BatchPlan extends BatchLimits, FinishSettings {
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
  readonly defaults?: PlanDefaults | undefined;
  /** Steps of the batch. At least one. */
  readonly steps: readonly PlanStep[];
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
  /** Ids of the steps that must be over first, with those that prompt and condition refer to. */
  readonly needs: readonly string[];
  /**
   * Needs that may fail or be skipped, because the condition asks for their state or error. All other needs must
   * succeed, or have `continueOnError`.
   */
  readonly tolerates?: readonly string[] | undefined;
  /** Element that a reference to a matrix means in this step, by the plan id of the matrix. */
  readonly elements?: Readonly<Record<string, string>> | undefined;
  /** Condition with all variables filled in. The step is skipped if it is false. */
  readonly when?: string | undefined;
  /** True if the batch goes on after a failure of the step. */
  readonly continueOnError?: boolean | undefined;
  /** Models to try after the model of the step. */
  readonly fallbackModels?: readonly string[] | undefined;
  /** Message of the commit (`{{steps.self.text}}` is the answer), or `true` for the usual one. Absent: no commit. */
  readonly commit?: true | string | undefined;
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
  /** Commands that the plan runs at the end of the batch. */
  readonly finish?: FinishSettings | undefined;
  /** Steps in the order of the plan. */
  readonly steps: readonly PlannedStep[];
  /** SHA-256 of limits and steps. The same plan has the same hash on every machine. */
  readonly hash: string;
}
