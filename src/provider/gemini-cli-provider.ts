import { invalidConfig } from '../config/config-problem.js';
import { findMissingFixedDirectories } from '../config/directories.js';
import { readEnvironment } from '../config/environment.js';
import { GEMINI_CLI_METADATA } from '../config/metadata.js';
import type { GenerateOptions, ProviderConfig } from '../config/provider-config.js';
import {
  type ConfigValues,
  normaliseKeys,
  type ResolvedConfig,
  resolveConfig,
} from '../config/resolve-config.js';
import { warnOfUnknownKeys } from '../config/unknown-keys.js';
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
import { runStep } from './run-step.js';
import { setStage } from './stage.js';
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

  static getMetadata(): ProviderMetadata {
    return GEMINI_CLI_METADATA;
  }

  /** Throws INVALID_CONFIG with every problem at once. */
  constructor(config: ConfigInput = {}) {
    const { values, unknownKeys, problems } = normaliseKeys(config);
    this.#values = values;
    this.#config = resolveConfig(values, problems);
    warnOfUnknownKeys(unknownKeys, this.#config.logger);
    const missing = findMissingFixedDirectories(this.#config);
    if (missing.length > 0) throw invalidConfig(missing);
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

  async *stream(
    prompt: string,
    context: GenerateContext = {},
    options: OptionsInput = {},
  ): AsyncGenerator<AgentEvent, void> {
    const { signal, ...overrides } = splitOptions(options);
    const run = this.#runs.begin(signal);
    try {
      const config = this.#override(overrides);
      const stage = await setStage(config, context, readEnvironment(), run.signal);
      yield* runStep({ stage, prompt, context, signal: run.signal });
    } catch (error) {
      throw toProviderError(error, run.signal);
    } finally {
      run.end();
    }
  }

  /** Cancels what is still running and waits until it is gone. */
  async dispose(): Promise<void> {
    await this.#runs.cancelAll();
    await closeIdleReaper();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.dispose();
  }

  #override(overrides: object): ResolvedConfig {
    const { values, unknownKeys, problems } = normaliseKeys(overrides);
    if (Object.keys(values).length === 0 && unknownKeys.length === 0) return this.#config;
    const config = resolveConfig({ ...this.#values, ...values }, problems);
    warnOfUnknownKeys(unknownKeys, config.logger);
    const missing = findMissingFixedDirectories(config);
    if (missing.length > 0) throw invalidConfig(missing);
    return config;
  }
}

function splitOptions(options: OptionsInput): { signal: AbortSignal | undefined } & object {
  const { signal } = options;
  if (signal !== undefined && !(signal instanceof AbortSignal)) {
    throw invalidConfig([
      { key: 'signal', value: typeof signal, problem: 'must be an AbortSignal' },
    ]);
  }
  return { ...options, signal };
}
