import type { ResponseProvider } from '../../api/response-provider.js';

/** A provider that is checked, and the folder that its steps work in. */
export interface ConformanceProvider {
  /** The provider. */
  readonly provider: ResponseProvider;
  /** Working directory of the steps, without the two files that the prompts write. */
  readonly workingDir: string;
  /**
   * Frees what the provider needs beside itself, such as a server. The provider is disposed of before.
   *
   * @defaultValue nothing to free
   */
  readonly close?: (() => Promise<void> | void) | undefined;
}

/** Prompts whose outcome the author of the provider knows. */
export interface ConformancePrompts {
  /** Prompt of a step that answers with text and succeeds. It writes `writtenFile`, if that is set. */
  readonly succeed: string;
  /** Prompt of a step that begins and then fails. It writes `partialFile` before, if that is set. */
  readonly fail: string;
  /** Prompt of a step that yields at least one event, and is not over for the next minute. */
  readonly wait: string;
}

/** What the checks need to know of a provider. */
export interface ConformanceOptions {
  /** Opens a provider of its own. Called once for the checks of steps and once for those of `dispose()`. */
  readonly open: () => Promise<ConformanceProvider> | ConformanceProvider;
  /** Prompts with a known outcome. */
  readonly prompts: ConformancePrompts;
  /**
   * File that the step of `prompts.succeed` writes, relative to the working directory.
   *
   * @defaultValue none: the manifest is not checked
   */
  readonly writtenFile?: string | undefined;
  /**
   * File that the step of `prompts.fail` writes before it fails, relative to the working directory.
   *
   * @defaultValue none: the files of a failed step are not checked
   */
  readonly partialFile?: string | undefined;
  /**
   * Longest time in seconds until a cancelled step has ended.
   *
   * @defaultValue `20`
   */
  readonly endWithin?: number | undefined;
}

/** A named check. `run` throws an `AssertionError` if the provider does not keep the contract. */
export interface ConformanceCheck {
  /** Sentence of the contract. */
  readonly name: string;
  /** Runs the check. Checks share steps, and may run in any order, but not at the same time. */
  readonly run: () => Promise<void>;
}

/** All checks of one provider. */
export interface ConformanceSuite {
  /** The checks, in the order of a step. */
  readonly checks: readonly ConformanceCheck[];
  /** Disposes of the providers that the checks have opened. */
  readonly close: () => Promise<void>;
}
