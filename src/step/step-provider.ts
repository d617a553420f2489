import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { createAgentEnvironment } from '../agents/gemini/agent-environment.js';
import type { StepRequest } from '../agents/resolve-step.js';
import { chooseWorkingDir, readPath } from '../agents/working-dir.js';
import type { AgentEvent } from '../api/agent-event.js';
import type { SchemaLike } from '../api/expectations.js';
import type { DataOf, GenerateOptions, GenerateOptionsWith } from '../api/generate-options.js';
import type {
  ContextKeys,
  GenerateContext,
  ProviderMetadata,
  ResponseProvider,
  ValidationReport,
} from '../api/response-provider.js';
import type { GenerateResult } from '../api/result.js';
import { readInput } from '../base/errors/invalid-input.js';
import { noSecrets } from '../base/errors/redact.js';
import { toProviderError, withGenerationId } from '../base/errors/unexpected-error.js';
import { isObject } from '../base/json/is-object.js';
import { readEnvironment } from '../base/process/environment.js';
import { closeIdleReaper } from '../base/process/reaper.js';
import { acceptConfig, readObject } from '../config/accept-config.js';
import { createRedactingLogger } from '../config/logging.js';
import type { ConfigValues, ResolvedConfig } from '../config/resolve-config.js';
import { splitOptions } from '../config/split-options.js';
import { ActiveSteps } from './active-steps.js';
import { CancellableStream } from './cancellable-stream.js';
import { guardSettling } from './guard-settling.js';
import { keepLimits } from './keep-limits.js';
import { ProviderPool } from './provider-pool.js';
import { readStepResult } from './read-step-result.js';
import { RemoteWorkspace } from './remote-workspace.js';
import { runStep } from './run-step.js';
import { stampEvent } from './stamp-event.js';
import type { Step } from './step.js';
import { describeError } from './step-log.js';

/**
 * Parts of a step that the concrete provider supplies.
 * @internal
 */
export type StepSetup = Pick<Step, 'resolved' | 'openSession' | 'protectMessage' | 'settleSession'>;

/** Base class of the providers: configuration, options of a call, cancellation and disposal, for every agent. */
export abstract class StepProvider implements ResponseProvider {
  readonly #values: ConfigValues;
  readonly #config: ResolvedConfig;
  readonly #active = new ActiveSteps();
  /** @internal */
  protected readonly pools = new ProviderPool();

  readonly #tools: 'gemini' | 'any';

  protected constructor(config: object, tools: 'gemini' | 'any') {
    this.#tools = tools;
    const accepted = acceptConfig(config, {}, tools);
    this.#values = accepted.values;
    this.#config = accepted.config;
  }

  /** @internal */
  protected get config(): ResolvedConfig {
    return this.#config;
  }

  /**
   * Returns the options of a job. What this configuration forbids stays forbidden.
   * @internal
   */
  keepLimits(options: ConfigValues): ConfigValues {
    return keepLimits(this.#values, options);
  }

  /**
   * Refuses options of a call that mean nothing to this provider.
   * @internal
   */
  protected checkOverrides(_overrides: object): void {}

  /**
   * Finds the agent and prepares its driver for one step.
   * @internal
   */
  protected abstract setUp(request: StepRequest): Promise<StepSetup>;

  /** Name, description and configuration keys of the provider. */
  abstract readonly metadata: ProviderMetadata;

  /** Checks everything that can be checked without calling the model. Throws a `ProviderError`. */
  abstract validate(): Promise<ValidationReport>;

  /**
   * Runs one step whose answer must contain JSON of the schema in `options.expects.json`. Returns the parsed JSON as
   * `data`. Throws a `ProviderError` for every outcome but success.
   */
  generate<Schema extends SchemaLike, Context extends object = GenerateContext>(
    prompt: string,
    context: Context & ContextKeys,
    options: GenerateOptionsWith<Schema>,
  ): Promise<GenerateResult<Context> & { readonly data: DataOf<Schema> }>;
  /** Runs one step. Throws a `ProviderError` for every outcome but success. */
  generate<Context extends object = GenerateContext>(
    prompt: string,
    context?: Context & ContextKeys,
    options?: GenerateOptions,
  ): Promise<GenerateResult<Context>>;
  generate(
    prompt: string,
    context: object & ContextKeys = {},
    options: GenerateOptions = {},
  ): Promise<GenerateResult> {
    return readStepResult(this.stream(prompt, context, options));
  }

  /**
   * Runs one step and yields its events. The last event is `turn-complete`; after a failed step the `ProviderError`
   * is thrown. Leaving the loop or calling `return()` cancels the step.
   */
  stream(
    prompt: string,
    context: object & ContextKeys = {},
    options: GenerateOptions = {},
  ): AsyncGenerator<AgentEvent, void> {
    const left = new AbortController();
    const events = this.#stream(prompt, context, options, left.signal);
    return new CancellableStream(events, () => left.abort());
  }

  /** Adds the `generationId` of the step to each event and each error. */
  async *#stream(
    prompt: string,
    context: object & ContextKeys,
    options: GenerateOptions,
    left: AbortSignal,
  ): AsyncGenerator<AgentEvent, void> {
    const generationId = randomUUID();
    try {
      for await (const event of this.#run(generationId, prompt, context, options, left)) {
        yield { ...stampEvent(event), generationId };
      }
    } catch (error) {
      throw withGenerationId(toProviderError(error), generationId);
    }
  }

  async *#run(
    generationId: string,
    prompt: string,
    givenContext: object & ContextKeys,
    options: GenerateOptions,
    left: AbortSignal,
  ): AsyncGenerator<AgentEvent, void> {
    const { signal: callerSignal, overrides } = readInput(
      'options',
      () => splitOptions(options),
      'INVALID_CONFIG',
    );
    const context = readInput('context', () => readContext(givenContext));
    const active = this.#active.begin(callerSignal, left);
    const { signal } = active;
    let remote: RemoteWorkspace | undefined;
    let { logger } = this.#config;
    try {
      const config = this.#override(overrides);
      ({ logger } = config);
      const request = { generationId, config, context, signal };
      remote = await openRemoteWorkspace(request);
      const setup = await this.setUp(request);
      const assertReachable = remote?.assertAnswers.bind(remote);
      const resolved = { ...setup.resolved, assertReachable };
      const settleSession = guardSettling(setup.settleSession, remote);
      yield* runStep({ ...setup, resolved, settleSession, prompt, context, signal, remote });
    } catch (error) {
      const failure = toProviderError(error, signal);
      // A step that failed after its first turn has been logged.
      if (failure.partial === undefined) {
        const redacting = createRedactingLogger(logger, noSecrets, { generationId });
        redacting.warn(describeError(failure), failure.message);
      }
      throw failure;
    } finally {
      remote?.close();
      active.end();
    }
  }

  /**
   * Throws TIMEOUT if a folder of a step lies on a file system that does not answer, and INVALID_INPUT after `dispose()`.
   * @internal
   */
  protected async assertReachable(request: StepRequest): Promise<void> {
    this.#active.assertOpen();
    const { signal } = new AbortController();
    const remote = await openRemoteWorkspace({ ...request, signal });
    remote?.close();
  }

  /**
   * Cancels running steps and waits for their end. Every later call is refused with INVALID_INPUT. A pool that was passed
   * in is not disposed of.
   */
  async dispose(): Promise<void> {
    await this.#active.dispose();
    await this.pools.dispose();
    await closeIdleReaper();
  }

  /** Same as `dispose()`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.dispose();
  }

  #override(overrides: object): ResolvedConfig {
    this.checkOverrides(overrides);
    const isNothing = Object.keys(overrides).length === 0;
    return isNothing ? this.#config : acceptConfig(overrides, this.#values, this.#tools).config;
  }
}

/** Looks at the mounts before anything touches the workspace: a dead one would stop this process. */
function openRemoteWorkspace({
  generationId,
  config,
  context,
  signal,
}: StepRequest & { readonly signal: AbortSignal }): Promise<RemoteWorkspace | undefined> {
  const { logger, startTimeoutMs, timeoutMs } = config;
  const workingDir = chooseWorkingDir(config, context);
  const included = config.includeDirectories.map((dir) => resolve(workingDir, dir));
  const { geminiHome } = createAgentEnvironment(config, readEnvironment(), generationId);
  const limitMs = Math.min(startTimeoutMs, timeoutMs);
  // The repository of a worktree, and the sessions of an isolated step, belong to the folder that the step was made for.
  const project = readPath(context, 'sessionProject', 'session_project') ?? workingDir;
  return RemoteWorkspace.open({
    folders: [workingDir, ...included, geminiHome, resolve(project)],
    limitMs,
    signal,
    logger,
  });
}

/** Returns the caller's own object, not a copy, because the result hands it back. */
function readContext(context: (object & ContextKeys) | null): GenerateContext {
  readObject(context, 'context');
  if (!isObject(context)) return {};
  // Reads every value once: a getter that throws must not fail the step later.
  Object.values(context);
  return context;
}
