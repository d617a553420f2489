import type { SessionMessage } from '../../api/session.js';
import { compareText } from '../../base/text/compare-text.js';
import { fieldOf, functionResponsesOf } from '../files/message-text.js';
import { hasResult } from './tool-blocks.js';

/** Content of one message about one tool call. */
interface Mention {
  readonly hasCall: boolean;
  readonly hasResult: boolean;
  /** Time and id of the message. A watched file may be read in any pieces, so the order of reading decides nothing. */
  readonly rank: string;
}

/**
 * Remembers which messages recorded each tool call and which ones have its answer. The CLI records an answer up to three
 * times: with the call, as a message to the model, and again when the session is resumed.
 */
export class RecordedCalls {
  /** Messages about each call, by their ids. */
  readonly #mentions = new Map<string, Map<string, Mention>>();

  /** Adds a message. Returns the ids of the calls that it is about. */
  add(message: SessionMessage): string[] {
    const mentions = mentionsOf(message);
    for (const [callId, mention] of mentions) {
      const messages = this.#mentions.get(callId) ?? new Map<string, Mention>();
      this.#mentions.set(callId, messages.set(message.id, mention));
    }
    return [...mentions.keys()];
  }

  /** Replaces a message by its newer version. Returns the ids of the calls that one of them is about. */
  replace(old: SessionMessage, message: SessionMessage): string[] {
    const added = this.add(message);
    const removed = this.#remove(old, new Set(added));
    return [...added, ...removed];
  }

  /** Forgets a removed message. Returns the ids of the calls that it was about. */
  forget(message: SessionMessage): string[] {
    return this.#remove(message, new Set());
  }

  /** Ids of the messages about a call. */
  messagesAbout(callId: string): string[] {
    return [...(this.#mentions.get(callId)?.keys() ?? [])];
  }

  isRecorded(callId: string): boolean {
    return [...(this.#mentions.get(callId)?.values() ?? [])].some(({ hasCall }) => hasCall);
  }

  /** True if another message has the answer to the call, so that this message only repeats it. */
  isRepeated(callId: string, message: SessionMessage): boolean {
    const answers = [...(this.#mentions.get(callId) ?? [])]
      .filter(([, { hasResult: isAnswer }]) => isAnswer)
      .sort(([, a], [, b]) => compareText(a.rank, b.rank));
    const answer = answers.findLast(([, { hasCall }]) => hasCall) ?? answers[0];
    return answer !== undefined && answer[0] !== message.id;
  }

  #remove(message: SessionMessage, kept: ReadonlySet<string>): string[] {
    const removed = [...mentionsOf(message).keys()].filter((callId) => !kept.has(callId));
    for (const callId of removed) {
      const messages = this.#mentions.get(callId);
      messages?.delete(message.id);
      if (messages?.size === 0) this.#mentions.delete(callId);
    }
    return removed;
  }
}

function mentionsOf(message: SessionMessage): ReadonlyMap<string, Mention> {
  const mentions = new Map<string, Mention>();
  const rank = `${message.timestamp ?? ''} ${message.id}`;
  // A call in the content is no record of the call, but it is left out where there is one.
  for (const part of Array.isArray(message.content) ? message.content : []) {
    const id = idOf(fieldOf(part, 'functionCall'));
    if (id !== '') mentions.set(id, { hasCall: false, hasResult: false, rank });
  }
  for (const call of message.toolCalls ?? [])
    mentions.set(call.id, { hasCall: true, hasResult: hasResult(call), rank });
  for (const answer of functionResponsesOf(message)) {
    const id = idOf(answer);
    if (id === '') continue;
    mentions.set(id, { hasCall: mentions.get(id)?.hasCall ?? false, hasResult: true, rank });
  }
  return mentions;
}

/** Returns the id of a call or of the answer to a call. Empty if there is none. */
export function idOf(value: unknown): string {
  const id = fieldOf(value, 'id');
  return typeof id === 'string' ? id : '';
}
