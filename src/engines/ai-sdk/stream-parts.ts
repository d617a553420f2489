import type { LanguageModelV3StreamPart } from '@ai-sdk/provider';
import type { AgentEvent } from '../../api/agent-event.js';
import type { ResponseProvider } from '../../api/response-provider.js';
import { ProviderError } from '../../base/errors/provider-error.js';
import type { AiSdkErrors } from './load-ai-sdk.js';
import type { MappedCall } from './map-call.js';
import { mapFailure } from './map-failure.js';
import { mapMetadata } from './map-metadata.js';
import { mapTokenUsage } from './map-token-usage.js';
import { PartMapper } from './part-mapper.js';

/** A step that is to be streamed as parts of the AI SDK. */
export interface PartRequest {
  readonly provider: ResponseProvider;
  readonly modelId: string;
  readonly call: MappedCall;
  readonly sdk: AiSdkErrors;
}

/** Parts of a running step, and the state that their collector needs. */
export interface PartStream {
  readonly parts: AsyncIterator<LanguageModelV3StreamPart, void>;
  readonly mapper: PartMapper;
}

/** Runs a step and maps its events. The parts begin with `stream-start` and end with `finish`. Nothing is thrown. */
export function streamParts(request: PartRequest): PartStream {
  const { provider, modelId, call } = request;
  const mapper = new PartMapper(modelId, call);
  const events = provider.stream(call.prompt, call.context, call.options);
  return { parts: new PartIterator(events[Symbol.asyncIterator](), mapper, request), mapper };
}

/**
 * Reads events as parts. `return()` reaches the step at once, even while the next event is awaited: a generator would queue
 * the call behind the pending read.
 */
class PartIterator implements AsyncIterator<LanguageModelV3StreamPart, void> {
  readonly #events: AsyncIterator<AgentEvent>;
  readonly #mapper: PartMapper;
  readonly #request: PartRequest;
  readonly #ready: LanguageModelV3StreamPart[];
  #isOver = false;

  constructor(events: AsyncIterator<AgentEvent>, mapper: PartMapper, request: PartRequest) {
    this.#events = events;
    this.#mapper = mapper;
    this.#request = request;
    this.#ready = [{ type: 'stream-start', warnings: [...request.call.warnings] }];
  }

  async next(): Promise<IteratorResult<LanguageModelV3StreamPart, void>> {
    while (this.#ready.length === 0 && !this.#isOver) await this.#read();
    const value = this.#ready.shift();
    return value === undefined ? { value, done: true } : { value, done: false };
  }

  async return(): Promise<IteratorResult<LanguageModelV3StreamPart, void>> {
    this.#isOver = true;
    this.#ready.length = 0;
    await this.#events.return?.();
    return { value: undefined, done: true };
  }

  async #read(): Promise<void> {
    try {
      const { value, done } = await this.#events.next();
      if (done !== true) this.#ready.push(...this.#mapper.accept(value));
      else {
        this.#isOver = true;
        if (!this.#mapper.isFinished) this.#fail(withoutResult());
      }
    } catch (error) {
      const isKnown = this.#isOver || this.#mapper.isFinished;
      this.#isOver = true;
      if (!isKnown) this.#fail(error);
    }
  }

  #fail(thrown: unknown): void {
    const { modelId, sdk } = this.#request;
    const { hasActed, facts } = this.#mapper;
    const failure = ProviderError.isInstance(thrown) ? thrown : undefined;
    const { partial } = failure ?? {};
    this.#ready.push(
      { type: 'error', error: mapFailure(thrown, { modelId, hasActed }, sdk) },
      {
        type: 'finish',
        finishReason: { unified: 'error', raw: failure?.code ?? 'UNKNOWN' },
        usage: mapTokenUsage(partial?.usage),
        providerMetadata: mapMetadata(partial, { ...facts, text: undefined }, failure?.toJSON()),
      },
    );
  }
}

function withoutResult(): ProviderError {
  return new ProviderError({ code: 'UNKNOWN', message: 'The step ended without a result' });
}
