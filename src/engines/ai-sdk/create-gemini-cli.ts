import type { LanguageModelV3 } from '@ai-sdk/provider';
import type { ResponseProvider } from '../../api/response-provider.js';
import { invalidInput, readInput } from '../../base/errors/invalid-input.js';
import { ProviderError } from '../../base/errors/provider-error.js';
import { hasMethods } from '../../base/json/has-methods.js';
import { readObject } from '../../config/accept-config.js';
import { invalidConfig, toProblem } from '../../config/config-problem.js';
import { CONFIG_KEYS } from '../../config/schema.js';
import { GeminiCliProvider } from '../../step/gemini-cli-provider.js';
import { GeminiCliModel } from './gemini-cli-model.js';
import type { CreateGeminiCliOptions } from './gemini-cli-settings.js';
import { readCallOptions } from './read-call-options.js';

/** Name of the model that stands for the choice of the CLI. */
const CHOICE_OF_CLI = 'auto';

/** Provider of the AI SDK: call it with the name of a model. */
export interface GeminiCli {
  /** Version of the interface of the AI SDK. */
  readonly specificationVersion: 'v3';
  /**
   * Returns a model. Without a name, and for `auto`, the CLI chooses one, which costs one more request for each prompt.
   */
  (modelId?: string): LanguageModelV3;
  /** Same as the call, for registries of the AI SDK. */
  languageModel(modelId: string): LanguageModelV3;
  /** Throws INVALID_INPUT: the Gemini CLI has no such models. */
  embeddingModel(modelId: string): never;
  /** Throws INVALID_INPUT: the Gemini CLI has no such models. */
  imageModel(modelId: string): never;
  /** Cancels running steps and ends the processes. A provider that was passed in is not disposed of. */
  dispose(): Promise<void>;
  /** Same as `dispose()`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Creates a provider of the AI SDK whose models are steps of the Gemini CLI, or of the given provider. Starts nothing before
 * the first call. Throws INVALID_CONFIG with every problem at once.
 */
export function createGeminiCli(options: CreateGeminiCliOptions = {}): GeminiCli {
  const { given, foreignKeys, rest } = readInput(
    'options',
    () => splitOptions(options),
    'INVALID_CONFIG',
  );
  const defaults = readCallOptions(rest, 'options', foreignKeys);
  const provider = given ?? new GeminiCliProvider({ transport: 'acp', ...defaults.options });
  const createModel = (modelId: string = CHOICE_OF_CLI): LanguageModelV3 => {
    if (typeof modelId !== 'string' || modelId === '')
      throw invalidInput('The name of the model', 'a text that is not empty', modelId);
    const model = modelId === CHOICE_OF_CLI ? undefined : modelId;
    return new GeminiCliModel(modelId, { provider, defaults: { ...defaults, model, foreignKeys } });
  };
  const dispose = async () => {
    if (given === undefined) await provider.dispose();
  };
  return Object.assign(createModel, {
    specificationVersion: 'v3' as const,
    languageModel: createModel,
    embeddingModel: refuse('embeddings'),
    imageModel: refuse('images'),
    dispose,
    [Symbol.asyncDispose]: dispose,
  });
}

/** Separates the provider from the options of its steps. */
function splitOptions(options: unknown) {
  const { provider: given, ...rest }: Record<string, unknown> = {
    ...readObject(options, 'options'),
  };
  if (given !== undefined && !isProvider(given))
    throw invalidConfig([toProblem(['provider'], typeof given, 'must be a ResponseProvider')]);
  return { given, foreignKeys: given === undefined ? [] : keysOf(given), rest };
}

function isProvider(value: unknown): value is ResponseProvider {
  return hasMethods(value, 'stream', 'generate', 'dispose');
}

/** Options of a provider beside those of this package, such as the priority of a queued step. */
function keysOf({ metadata }: ResponseProvider): readonly string[] {
  return metadata.configKeys.filter((key) => !CONFIG_KEYS.includes(key));
}

function refuse(what: string) {
  return (modelId: string): never => {
    throw new ProviderError({
      code: 'INVALID_INPUT',
      message: `The Gemini CLI has no model for ${what}, so ${JSON.stringify(modelId)} cannot be used`,
      hint: 'Use gemini(name) or gemini.languageModel(name).',
    });
  };
}
