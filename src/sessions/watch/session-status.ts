import { isDeepStrictEqual } from 'node:util';
import type { SessionHeader, SessionMessage } from '../../api/session.js';
import type { SessionStatusUpdate } from '../../api/session-update.js';
import { addTokenCounts, NO_TOKENS, subtractTokenCounts } from '../../base/usage/token-counts.js';

/** Updates the status of a session (model, tokens, thinking, summary) message by message. */
export class SessionStatus {
  readonly #tokens = new Map<string, SessionMessage>();
  #sum = NO_TOKENS;
  #model: string | undefined;
  #contextTokens: number | undefined;
  #thinking: string | undefined;
  #summary: string | undefined;
  #reported: SessionStatusUpdate = { type: 'status', tokens: NO_TOKENS };

  accept(message: SessionMessage): void {
    if (message.type !== 'gemini') return;
    const known = this.#tokens.get(message.id);
    if (known !== undefined) this.#sum = subtractTokenCounts(this.#sum, known.tokens);
    this.#sum = addTokenCounts(this.#sum, message.tokens);
    this.#tokens.set(message.id, message);
    this.#model = message.model ?? this.#model;
    this.#contextTokens = message.tokens?.input ?? this.#contextTokens;
    const thought = message.thoughts?.at(-1);
    this.#thinking = thought?.subject ?? thought?.description ?? this.#thinking;
  }

  remove(id: string): void {
    const known = this.#tokens.get(id);
    if (known === undefined) return;
    this.#sum = subtractTokenCounts(this.#sum, known.tokens);
    this.#tokens.delete(id);
  }

  /** Returns the status. Undefined if nothing has changed since the last call. */
  take(header: SessionHeader | undefined): SessionStatusUpdate | undefined {
    this.#summary = header?.summary ?? this.#summary;
    const status: SessionStatusUpdate = {
      type: 'status',
      ...(this.#model === undefined ? {} : { model: this.#model }),
      tokens: this.#sum,
      ...(this.#contextTokens === undefined ? {} : { contextTokens: this.#contextTokens }),
      ...(this.#thinking === undefined ? {} : { thinking: this.#thinking }),
      ...(this.#summary === undefined ? {} : { summary: this.#summary }),
    };
    if (isDeepStrictEqual(status, this.#reported)) return undefined;
    this.#reported = status;
    return status;
  }
}
