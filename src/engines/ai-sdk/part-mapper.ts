import type { LanguageModelV3StreamPart, SharedV3Warning } from '@ai-sdk/provider';
import type { AgentEvent, TurnCompleteEvent } from '../../api/agent-event.js';
import type { GenerateResult } from '../../api/result.js';
import type { MappedCall } from './map-call.js';
import { findFinishReason } from './map-failure.js';
import { type CallFacts, mapMetadata } from './map-metadata.js';
import { mapTokenUsage } from './map-token-usage.js';
import { TextParts } from './text-parts.js';
import { ToolParts } from './tool-parts.js';

/** Maps the events of one step to the parts of a stream, in order. The last part is `finish`, for every outcome. */
export class PartMapper {
  readonly #modelId: string;
  readonly #call: MappedCall;
  readonly #text: TextParts;
  readonly #startedAt = performance.now();
  #tools = new ToolParts();
  #apiRetries = 0;
  #ttftMs: number | undefined;
  #turns = 0;
  #workers = 0;
  #hasActed = false;
  #isFinished = false;
  #lateWarnings: readonly SharedV3Warning[] = [];

  constructor(modelId: string, call: MappedCall) {
    this.#modelId = modelId;
    this.#call = call;
    this.#text = new TextParts(call.isJson);
  }

  /** True if the step may have changed something beside the files of its manifest. */
  get hasActed(): boolean {
    return this.#hasActed || this.#tools.hasActed;
  }

  /** Number of times that the step has begun again: all parts before are void. */
  get restarts(): number {
    return Math.max(0, this.#workers - 1);
  }

  get isFinished(): boolean {
    return this.#isFinished;
  }

  /** Warnings that are known at the end of the step: those at the start of a stream come too early for them. */
  get lateWarnings(): readonly SharedV3Warning[] {
    return this.#lateWarnings;
  }

  accept(event: AgentEvent): LanguageModelV3StreamPart[] {
    const isRaw = this.#call.includesRaw && event.raw !== undefined;
    const raw: LanguageModelV3StreamPart[] = isRaw ? [{ type: 'raw', rawValue: event.raw }] : [];
    return this.#isFinished ? [] : [...raw, ...this.#map(event)];
  }

  #map(event: AgentEvent): LanguageModelV3StreamPart[] {
    switch (event.type) {
      case 'session-init': {
        const { sessionId: id, model: modelId = this.#modelId, timestamp } = event;
        const at = timestamp === undefined ? new Date() : new Date(timestamp);
        return [{ type: 'response-metadata', id, modelId, timestamp: at }];
      }
      case 'text':
      case 'text-delta':
        this.#noteContent();
        return this.#text.accept(event);
      case 'tool-invocation':
        this.#noteContent();
        return [...this.#text.close(), ...this.#tools.begin(event)];
      case 'tool-update':
        this.#tools.update(event);
        return [];
      case 'tool-completion':
        return [...this.#text.close(), ...this.#tools.end(event)];
      case 'user-input':
        if (event.isSynthetic) return [];
        this.#turns += 1;
        return this.#turns === 1 ? [] : this.#text.beginTurn();
      case 'session-status':
        if (event.status === 'retrying' && event.ofProcess !== true) this.#apiRetries += 1;
        return [];
      case 'worker-assigned':
        this.#workers += 1;
        return this.#workers === 1 ? [] : this.#restart();
      case 'turn-complete':
        return this.#finish(event);
      // The result at the end has the files, the usage and the rest. The AI SDK has no part for their progress.
      case 'content':
      case 'permission-request':
      case 'plan':
      case 'config-options':
      case 'available-commands':
      case 'session-mode':
      case 'session-info':
      case 'usage-update':
      case 'file-change':
      case 'file-access':
      case 'terminal':
      case 'session-messages':
      case 'unknown':
        return [];
      default:
        // A newer provider may have events that this version does not know.
        event satisfies never;
        return [];
    }
  }

  #noteContent(): void {
    this.#ttftMs ??= Math.round(performance.now() - this.#startedAt);
  }

  /** Ends the blocks and calls of a lost worker: another one begins the step again. */
  #restart(): LanguageModelV3StreamPart[] {
    const parts = [...this.#text.restart(), ...this.#tools.closeAll([])];
    this.#hasActed ||= this.#tools.hasActed;
    this.#tools = new ToolParts();
    this.#turns = 0;
    return parts;
  }

  #finish({ result, error, subtype, usage }: TurnCompleteEvent): LanguageModelV3StreamPart[] {
    const deniedTools = result?.deniedTools ?? error?.partial?.deniedTools ?? [];
    const open = [...this.#text.close(), ...this.#tools.closeAll(deniedTools)];
    const finishReason = findFinishReason(subtype);
    if (result === undefined && finishReason === undefined) {
      // The error itself is thrown by the stream of events.
      return open;
    }
    this.#isFinished = true;
    const output = result ?? error?.partial;
    this.#lateWarnings = (output?.warnings ?? []).map(({ code, message }) => {
      return { type: 'other', message: `${code}: ${message}` };
    });
    const rest = result === undefined ? this.#rest(output?.text ?? '') : this.#answer(result);
    return [
      ...open,
      ...rest.parts,
      {
        type: 'finish',
        finishReason: finishReason ?? { unified: 'stop', raw: 'success' },
        usage: mapTokenUsage(usage ?? output?.usage),
        providerMetadata: mapMetadata(output, { ...this.facts, text: rest.text }, error),
      },
    ];
  }

  get facts(): Omit<CallFacts, 'text'> {
    return { apiRetries: this.#apiRetries, ttftMs: this.#ttftMs };
  }

  #answer({ data, text }: GenerateResult) {
    if (!this.#call.isJson) return this.#rest(text);
    return { parts: this.#text.addWhole(JSON.stringify(data)), text: undefined };
  }

  /** Sends the end of an answer that the stream lacked. A text that differs otherwise is only named in the metadata. */
  #rest(text: string) {
    const { sent } = this.#text;
    const isBeginning = text.startsWith(sent);
    return {
      parts: isBeginning ? this.#text.addWhole(text.slice(sent.length)) : [],
      text: isBeginning ? undefined : text,
    };
  }
}
