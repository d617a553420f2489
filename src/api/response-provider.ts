import type { AgentEvent } from './agent-event.js';
import type { GenerateResult } from './result.js';

/** What a provider says of itself to an engine that lists its plugins. */
export interface ProviderMetadata {
  readonly name: string;
  readonly description: string;
  readonly requiresConfig: boolean;
  readonly configKeys: readonly string[];
  /** Seconds. */
  readonly defaultResponseTimeout: number;
  /** `local-write`: the provider writes files itself, the engine does not have to. */
  readonly fsAbility: 'none' | 'local-read' | 'local-write';
}

/** Where a step runs and what its prompt is. Keys that are not listed here are handed through untouched. */
export interface GenerateContext {
  /** A file that holds the prompt. `prompt_file` works too. */
  readonly promptFile?: string | undefined;
  /** The working directory, where the configuration names none. `project_root` works too. */
  readonly projectRoot?: string | undefined;
  readonly [key: string]: unknown;
}

/** What `validate()` found. */
export interface ValidationReport {
  readonly cliPath: string;
  readonly cliVersion: string | undefined;
  readonly workingDir: string;
  /** Things that do not stop a run but should be known. */
  readonly notes: readonly string[];
}

/** What an engine types against: every provider of this package has this shape. */
export interface ResponseProvider<Options = unknown> {
  /** Checks everything that can be checked without a call to the model. Throws a `ProviderError`. */
  validate(): Promise<ValidationReport>;
  /** Runs one step. Throws a `ProviderError` for everything but success. */
  generate(prompt: string, context?: GenerateContext, options?: Options): Promise<GenerateResult>;
  /** The same run as events; the last one is `turn-complete`. */
  stream(prompt: string, context?: GenerateContext, options?: Options): AsyncIterable<AgentEvent>;
  /** Ends what is still running. */
  dispose(): Promise<void>;
}
