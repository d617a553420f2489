import type { SessionMessage } from '../../api/session.js';
import { fieldOf, functionResponsesOf } from '../files/message-text.js';
import { hasResult } from './tool-blocks.js';

/**
 * Where each tool call was recorded and where it was answered. The CLI writes an answer down up to three
 * times: with the call, as a message to the model, and once more when the session is resumed.
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

  /** For a message that was taken back: nothing counts as told by it any more. */
  forget({ id, toolCalls, ...message }: SessionMessage): void {
    const calls = (toolCalls ?? []).map((call) => call.id);
    const answers = functionResponsesOf({ ...message, id }).map(idOf);
    for (const call of [...calls, ...answers]) {
      if (this.#calls.get(call) === id) this.#calls.delete(call);
      if (this.#answers.get(call) === id) this.#answers.delete(call);
    }
  }

  isRecorded(callId: string): boolean {
    return this.#calls.has(callId);
  }

  /** Whether this message only repeats the answer to a call. */
  isRepeated(callId: string, message: SessionMessage): boolean {
    const where = this.#answers.get(callId);
    return where !== undefined && where !== message.id;
  }
}

/** Of a call, or of the answer to one; empty where there is none. */
export function idOf(value: unknown): string {
  const id = fieldOf(value, 'id');
  return typeof id === 'string' ? id : '';
}
