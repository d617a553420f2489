import type { AgentEvent } from './agent-event.js';
import type { GenerateOptions } from './generate-options.js';
import type { GenerateResult } from './result.js';

/** Description of a provider for an engine that lists its plugins. */
export interface ProviderMetadata {
  /** Name under which the provider is registered. */
  readonly name: string;
  /** Description of the provider, on one line. */
  readonly description: string;
  /** Version of the package that the provider comes from. Absent if the provider has none. */
  readonly version?: string | undefined;
  /** True if the provider cannot be created without a configuration. */
  readonly requiresConfig: boolean;
  /** Keys of the configuration. */
  readonly configKeys: readonly string[];
  /** JSON Schema (draft 07) of the configuration. Absent if the provider has none. */
  readonly configSchema?: Readonly<Record<string, unknown>> | undefined;
  /** Default of `timeout`, in seconds. */
  readonly defaultResponseTimeout: number;
  /** Access to files. `local-write`: the provider writes files itself, so the engine does not have to. */
  readonly fsAbility: 'none' | 'local-read' | 'local-write';
}

/** Keys of a context that a provider reads. */
export interface ContextKeys {
  /**
   * File with the prompt, relative to the working directory. The argument `prompt` is then empty, or the same text:
   * another text is refused. The spelling `prompt_file` works too.
   *
   * @defaultValue none
   */
  readonly promptFile?: string | undefined;
  /**
   * Working directory of the step if the configuration has no `workingDir`. The spelling `project_root` works too.
   *
   * @defaultValue the current directory
   */
  readonly projectRoot?: string | undefined;
  /**
   * Folder to which the session of the step belongs, if the working directory is a temporary folder, such as a git
   * worktree. After the step, the session is found and resumed from that folder, and the home of the CLI keeps nothing
   * for the working directory. `resume` takes a session of that folder. The spelling `session_project` works too. Only
   * for the Gemini CLI: other agents ignore it.
   *
   * @defaultValue the working directory
   */
  readonly sessionProject?: string | undefined;
  /**
   * Key of this step. A provider in front of a queue attaches to the job with the same key, if there is one, instead of
   * running the step again. A batch sets it, so that a batch that was killed finds its jobs. Other providers ignore it.
   *
   * @defaultValue none: each call is a job of its own
   */
  readonly idempotencyKey?: string | undefined;
  /**
   * Position of the caller in a trace, as the header `traceparent` of W3C Trace Context. A provider from `traced` makes it
   * the parent of the step's span, and a provider in front of a queue sends it to the worker. Other values are ignored.
   *
   * @defaultValue none
   */
  readonly traceparent?: string | undefined;
  /**
   * Tell the CLI the `traceparent`, for its own export: in `TRACEPARENT`, and in `OTEL_RESOURCE_ATTRIBUTES` as
   * `gemini_cli_provider.trace_id` and `.span_id`. Only with `transport: 'headless'`: warm processes serve many steps.
   *
   * @defaultValue `false`
   */
  readonly traceCli?: boolean | undefined;
  /**
   * Id of the job that the step belongs to. A worker of a queue sets it.
   *
   * @defaultValue none
   */
  readonly jobId?: string | undefined;
}

/** Context of a step. Other keys are returned unchanged in `result.context`. */
export interface GenerateContext extends ContextKeys {
  readonly [key: string]: unknown;
}

/** Result of `validate()`. */
export interface ValidationReport {
  /** Path of the agent's executable. */
  readonly cliPath: string;
  /** Version of the CLI. Undefined if it is not known. */
  readonly cliVersion: string | undefined;
  /** Absolute path of the working directory. */
  readonly workingDir: string;
  /** Remarks that do not stop a step, such as a CLI version that is not tested. */
  readonly notes: readonly string[];
}

/**
 * Interface of every provider in this package. Engines use it as their type. `Options` are the options of one step; every
 * provider takes a `signal` there.
 */
export interface ResponseProvider<Options extends object = GenerateOptions> {
  /** Name, description and configuration keys of the provider. */
  readonly metadata: ProviderMetadata;
  /** Checks everything that can be checked without calling the model. Throws a `ProviderError`. */
  validate(): Promise<ValidationReport>;
  /** Runs one step. Throws a `ProviderError` for every outcome but success. */
  generate<Context extends object = GenerateContext>(
    prompt: string,
    context?: Context & ContextKeys,
    options?: Options,
  ): Promise<GenerateResult<Context>>;
  /** Runs one step and yields its events. The last event is `turn-complete`. */
  stream(
    prompt: string,
    context?: object & ContextKeys,
    options?: Options,
  ): AsyncIterable<AgentEvent>;
  /** Cancels running steps and frees all resources. Every later call is refused. */
  dispose(): Promise<void>;
  /** Same as `dispose()`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}
