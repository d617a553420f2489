import type {
  LanguageModelV3,
  LanguageModelV3CallOptions,
  LanguageModelV3GenerateResult,
  LanguageModelV3StreamPart,
  LanguageModelV3StreamResult,
} from '@ai-sdk/provider';
import type { ResponseProvider } from '../../api/response-provider.js';
import { collectContent } from './collect-content.js';
import { loadAiSdk } from './load-ai-sdk.js';
import { type CallDefaults, mapCall } from './map-call.js';
import { mapFailure } from './map-failure.js';
import { streamParts } from './stream-parts.js';
import { NAMESPACE } from './to-json.js';

/** Facts of a model: who runs its steps, and with which defaults. */
export interface ModelSetup {
  readonly provider: ResponseProvider;
  readonly defaults: CallDefaults;
}

/** A model of the AI SDK whose every call is a step of an agent. */
export class GeminiCliModel implements LanguageModelV3 {
  readonly specificationVersion = 'v3';
  readonly provider = NAMESPACE;
  readonly modelId: string;
  /** Addresses of files are named to the agent as they are: the AI SDK shall not download them. */
  readonly supportedUrls = { '*/*': [/^https?:/] };
  readonly #setup: ModelSetup;

  constructor(modelId: string, setup: ModelSetup) {
    this.modelId = modelId;
    this.#setup = setup;
  }

  async doGenerate(options: LanguageModelV3CallOptions): Promise<LanguageModelV3GenerateResult> {
    const { parts, mapper } = await this.#run({ ...options, includeRawChunks: false });
    return collectContent(parts, mapper);
  }

  /**
   * Resolves with the first content, not before: a step that fails without any is thrown, so that the AI SDK can repeat it.
   */
  async doStream(options: LanguageModelV3CallOptions): Promise<LanguageModelV3StreamResult> {
    const { parts } = await this.#run(options);
    const first = await readUntilContent(parts);
    return { stream: toReadable(first, parts) };
  }

  async #run(options: LanguageModelV3CallOptions) {
    const sdk = await loadAiSdk();
    const { modelId } = this;
    try {
      const call = mapCall(options, this.#setup.defaults);
      return streamParts({ provider: this.#setup.provider, modelId, call, sdk });
    } catch (error) {
      throw mapFailure(error, { modelId, hasActed: false }, sdk);
    }
  }
}

const PREAMBLE: readonly LanguageModelV3StreamPart['type'][] = [
  'stream-start',
  'response-metadata',
  'raw',
];

/** Reads up to the first part that is content. Throws the error of a step that has none. */
async function readUntilContent(
  parts: AsyncIterator<LanguageModelV3StreamPart, void>,
): Promise<LanguageModelV3StreamPart[]> {
  const read: LanguageModelV3StreamPart[] = [];
  for (;;) {
    const { value, done } = await parts.next();
    if (done === true || value === undefined) return read;
    if (value.type === 'error') {
      await parts.return?.();
      throw value.error;
    }
    read.push(value);
    if (!PREAMBLE.includes(value.type)) return read;
  }
}

/** A stream that reads one part at a time. `cancel()` ends the step. */
function toReadable(
  first: LanguageModelV3StreamPart[],
  parts: AsyncIterator<LanguageModelV3StreamPart, void>,
): ReadableStream<LanguageModelV3StreamPart> {
  return new ReadableStream(
    {
      async pull(controller) {
        const part = first.shift() ?? (await parts.next()).value;
        if (part === undefined) controller.close();
        else controller.enqueue(part);
      },
      async cancel() {
        await parts.return?.();
      },
    },
    { highWaterMark: 0 },
  );
}
