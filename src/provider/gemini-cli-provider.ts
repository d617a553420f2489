import { acceptConfig, readObject, readOptions } from '../config/accept-config.js';
import { invalidConfig } from '../config/config-problem.js';
import { readEnvironment } from '../config/environment.js';
import { GEMINI_CLI_METADATA } from '../config/metadata.js';
import type { GenerateOptions, ProviderConfig } from '../config/provider-config.js';
import type { ConfigValues, ResolvedConfig } from '../config/resolve-config.js';
import type { AgentEvent } from '../contract/agent-event.js';
import type {
  GenerateContext,
  ProviderMetadata,
  ResponseProvider,
  ValidationReport,
} from '../contract/response-provider.js';
import type { GenerateResult } from '../contract/result.js';
import { ProviderError } from '../errors/provider-error.js';
import { closeIdleReaper } from '../process/reaper.js';
import { ActiveRuns } from './active-runs.js';
import { CancellableStream } from './cancellable-stream.js';
import { createGeminiAcpTransport } from './gemini-acp-transport.js';
import { runOverHeadless } from './headless-transport.js';
import { OwnPool } from './own-pool.js';
import { runStep } from './run-step.js';
import { setStage } from './stage.js';
import type { RunOverTransport } from './transport.js';
import { toProviderError } from './unexpected-error.js';
import { describeCli } from './validation-notes.js';

/** Configuration from code, or from a YAML or JSON file whose content nobody has checked yet. */
export type ConfigInput = ProviderConfig | Readonly<Record<string, unknown>>;
export type OptionsInput = GenerateOptions | Readonly<Record<string, unknown>>;

/** Runs the Gemini CLI as a step: the text and the files really written, or a `ProviderError`. */
export class GeminiCliProvider implements ResponseProvider<OptionsInput> {
  readonly #values: ConfigValues;
  readonly #config: ResolvedConfig;
  readonly #runs = new ActiveRuns();
  readonly #pools = new OwnPool();

  static getMetadata(): ProviderMetadata {
    return GEMINI_CLI_METADATA;
  }

  /** Throws INVALID_CONFIG with every problem at once. */
  constructor(config: ConfigInput = {}) {
    const accepted = acceptConfig(config);
    this.#values = accepted.values;
    this.#config = accepted.config;
  }

  async validate(): Promise<ValidationReport> {
    const stage = await setStage(this.#config, {}, readEnvironment());
    return {
      cliPath: stage.cli.location.path,
      cliVersion: stage.cli.version,
      workingDir: stage.workingDir,
      notes: describeCli(stage.cli),
    };
  }

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
    const { signal, overrides } = splitOptions(options);
    const given: GenerateContext = { ...readObject(context, 'context') };
    const run = this.#runs.begin(signal, left);
    try {
      const config = this.#override(overrides);
      const stage = await setStage(config, given, readEnvironment(), run.signal);
      yield* runStep({
        stage,
        prompt,
        context: given,
        signal: run.signal,
        runOverTransport: this.#transportOf(config),
      });
    } catch (error) {
      throw toProviderError(error, run.signal);
    } finally {
      run.end();
    }
  }

  /** Cancels what is still running and waits until it is gone. A shared pool is left to its owner. */
  async dispose(): Promise<void> {
    await this.#runs.cancelAll();
    await this.#pools.dispose();
    await closeIdleReaper();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.dispose();
  }

  #transportOf({ transport, pool }: ResolvedConfig): RunOverTransport {
    if (transport === 'headless') return runOverHeadless;
    return createGeminiAcpTransport(this.#pools.choose(pool));
  }

  #override(overrides: object): ResolvedConfig {
    const isNothing = Object.keys(overrides).length === 0;
    return isNothing ? this.#config : acceptConfig(overrides, this.#values).config;
  }
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
