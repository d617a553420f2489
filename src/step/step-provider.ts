import type { AgentEvent } from '../api/agent-event.js';
import type { SchemaLike } from '../api/expectations.js';
import type {
  GenerateContext,
  ResponseProvider,
  ValidationReport,
} from '../api/response-provider.js';
import type { GenerateResult } from '../api/result.js';
import { ProviderError } from '../base/errors/provider-error.js';
import { toProviderError } from '../base/errors/unexpected-error.js';
import { closeIdleReaper } from '../base/process/reaper.js';
import { acceptConfig, readObject, readOptions } from '../config/accept-config.js';
import { invalidConfig } from '../config/config-problem.js';
import type {
  DataOf,
  GenerateOptions,
  GenerateOptionsWith,
  ProviderConfig,
} from '../config/provider-config.js';
import type { ConfigValues, ResolvedConfig } from '../config/resolve-config.js';
import { ActiveSteps } from './active-steps.js';
import { CancellableStream } from './cancellable-stream.js';
import { ProviderPool } from './provider-pool.js';
import { runStep } from './run-step.js';
import type { Step } from './step.js';

/** Configuration from code, or from a YAML or JSON file whose content nobody has checked yet. */
export type ConfigInput = ProviderConfig | Readonly<Record<string, unknown>>;
export type OptionsInput = GenerateOptions | Readonly<Record<string, unknown>>;

/** What a provider settles for one call. */
export type StepSetup = Pick<Step, 'resolved' | 'openSession' | 'protectMessage'>;

/** Steps as calls: configuration, overrides, cancelling and disposing, whichever agent it is. */
export abstract class StepProvider implements ResponseProvider<OptionsInput> {
  readonly #values: ConfigValues;
  readonly #config: ResolvedConfig;
  readonly #runs = new ActiveSteps();
  protected readonly pools = new ProviderPool();

  protected constructor(config: object) {
    const accepted = acceptConfig(config);
    this.#values = accepted.values;
    this.#config = accepted.config;
  }

  protected get config(): ResolvedConfig {
    return this.#config;
  }

  /** Refuses options of a call that mean nothing to this provider. */
  protected checkOverrides(_overrides: object): void {}

  protected abstract plan(
    config: ResolvedConfig,
    context: GenerateContext,
    signal: AbortSignal,
  ): Promise<StepSetup>;

  abstract validate(): Promise<ValidationReport>;

  generate<Schema extends SchemaLike>(
    prompt: string,
    context: GenerateContext,
    options: GenerateOptionsWith<Schema>,
  ): Promise<GenerateResult & { readonly data: DataOf<Schema> }>;
  generate(
    prompt: string,
    context?: GenerateContext,
    options?: OptionsInput,
  ): Promise<GenerateResult>;
  async generate(
    prompt: string,
    context: GenerateContext = {},
    options: OptionsInput = {},
  ): Promise<GenerateResult> {
    for await (const event of this.stream(prompt, context, options)) {
      if (event.type === 'turn-complete' && event.result !== undefined) return event.result;
    }
    throw new ProviderError({ code: 'UNKNOWN', message: 'The run ended without a result' });
  }

  /** Leaving the loop ends the run, and so does `return()` at any other time. */
  stream(
    prompt: string,
    context: GenerateContext = {},
    options: OptionsInput = {},
  ): AsyncGenerator<AgentEvent, void> {
    const left = new AbortController();
    const events = this.#stream(prompt, context, options, left.signal);
    return new CancellableStream(events, () => left.abort());
  }

  async *#stream(
    prompt: string,
    context: GenerateContext,
    options: OptionsInput,
    left: AbortSignal,
  ): AsyncGenerator<AgentEvent, void> {
    const { signal: callerSignal, overrides } = splitOptions(options);
    const given = readContext(context);
    const run = this.#runs.begin(callerSignal, left);
    const { signal } = run;
    try {
      const plan = await this.plan(this.#override(overrides), given, signal);
      yield* runStep({ ...plan, prompt, context: given, signal });
    } catch (error) {
      throw toProviderError(error, signal);
    } finally {
      run.end();
    }
  }

  /** Cancels what is still running and waits until it is gone. A shared pool is left to its owner. */
  async dispose(): Promise<void> {
    await this.#runs.cancelAll();
    await this.pools.dispose();
    await closeIdleReaper();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.dispose();
  }

  #override(overrides: object): ResolvedConfig {
    this.checkOverrides(overrides);
    const isNothing = Object.keys(overrides).length === 0;
    return isNothing ? this.#config : acceptConfig(overrides, this.#values).config;
  }
}

/** The very object of the caller: it is handed through. */
function readContext(context: GenerateContext | null): GenerateContext {
  readObject(context, 'context');
  return context ?? {};
}

function splitOptions(options: OptionsInput): {
  readonly signal: AbortSignal | undefined;
  readonly overrides: object;
} {
  const { signal, ...overrides }: { signal?: unknown } = readOptions(options, 'options');
  if (signal === undefined || signal === null) return { signal: undefined, overrides };
  if (signal instanceof AbortSignal) return { signal, overrides };
  throw invalidConfig([{ key: 'signal', value: typeof signal, problem: 'must be an AbortSignal' }]);
}
