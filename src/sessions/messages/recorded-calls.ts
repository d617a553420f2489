import type { SessionMessage } from '../../api/session.js';
import { fieldOf, functionResponsesOf } from '../files/message-text.js';
import { hasResult } from './tool-blocks.js';

/**
 * Remembers which message recorded each tool call and which one has its answer. The CLI records an answer up to three
 * times: with the call, as a message to the model, and again when the session is resumed.
 */
export class RecordedCalls {
  readonly #calls = new Map<string, string>();
  readonly #answers = new Map<string, string>();

  add(message: SessionMessage): void {
    for (const call of message.toolCalls ?? []) {
      this.#calls.set(call.id, message.id);
      if (hasResult(call)) this.#answers.set(call.id, message.id);
    }
    for (const answer of functionResponsesOf(message)) {
      const id = idOf(answer);
      if (id !== '' && !this.#answers.has(id)) this.#answers.set(id, message.id);
    }
  }

  /** Forgets the calls and answers of a removed message. */
  forget(message: SessionMessage): void {
    const { id, toolCalls = [] } = message;
    const calls = toolCalls.map((call) => call.id);
    const answers = functionResponsesOf(message).map(idOf);
    for (const call of [...calls, ...answers]) {
      if (this.#calls.get(call) === id) this.#calls.delete(call);
      if (this.#answers.get(call) === id) this.#answers.delete(call);
    }
  }

  isRecorded(callId: string): boolean {
    return this.#calls.has(callId);
  }

  /** True if another message has the answer to the call, so that this message only repeats it. */
  isRepeated(callId: string, message: SessionMessage): boolean {
    const messageId = this.#answers.get(callId);
    return messageId !== undefined && messageId !== message.id;
  }
}

/** Returns the id of a call or of the answer to a call. Empty if there is none. */
export function idOf(value: unknown): string {
  const id = fieldOf(value, 'id');
  return typeof id === 'string' ? id : '';
}
