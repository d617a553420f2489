import { isDeepStrictEqual } from 'node:util';
import type { SessionMessage } from '../../api/session.js';
import type { SessionMessageUpdate, SessionUpdate } from '../../api/session-update.js';
import type { UnifiedMessage, UnifyOptions } from '../../api/unified-message.js';
import { RecordedCalls } from '../messages/recorded-calls.js';
import { toUnifiedMessage } from '../messages/to-unified-message.js';
import type { FileReading } from './file-reading.js';
import { SessionStatus } from './session-status.js';

/**
 * Converts each reading of a session file to the updates since the previous reading. The result does not depend on how
 * the lines of the file are divided into readings.
 */
export class SessionDiff {
  readonly #options: UnifyOptions;
  readonly #known = new Map<string, SessionMessage>();
  /** Messages that were reported, as they were reported last. */
  readonly #shown = new Map<string, UnifiedMessage>();
  readonly #calls = new RecordedCalls();
  readonly #status = new SessionStatus();

  constructor(options: UnifyOptions) {
    this.#options = options;
  }

  accept(reading: FileReading): SessionUpdate[] {
    const { removed, callIds } = this.#forget(reading);
    const changed = reading.written.filter((message) => {
      return !isDeepStrictEqual(this.#known.get(message.id), message);
    });
    // Add all calls first, because an answer may be recorded before its call.
    for (const message of changed) for (const callId of this.#add(message)) callIds.add(callId);
    const changedIds = new Set(changed.map(({ id }) => id));
    const related = [...callIds].flatMap((callId) => this.#calls.messagesAbout(callId));
    const messages = [...new Set([...changedIds, ...related])].flatMap((id) => {
      return this.#describe(id, changedIds.has(id), removed) ?? [];
    });
    const status = this.#status.take(reading.header);
    return [
      ...reading.problems.map((diagnostic) => ({ type: 'problem' as const, diagnostic })),
      ...(removed.length === 0 ? [] : [{ type: 'removed' as const, ids: removed }]),
      ...messages,
      ...(status === undefined ? [] : [status]),
    ];
  }

  /** Forgets removed messages. Returns the ids of those that were reported, and the ids of all their calls. */
  #forget({ written, removed, isEverything }: FileReading) {
    const present = new Set(written.map(({ id }) => id));
    const missing = isEverything ? [...this.#known.keys()].filter((id) => !present.has(id)) : [];
    const callIds = new Set<string>();
    const reported = [...new Set([...removed, ...missing])].filter((id) => {
      const message = this.#known.get(id);
      if (message === undefined) return false;
      this.#known.delete(id);
      for (const callId of this.#calls.forget(message)) callIds.add(callId);
      this.#status.remove(id);
      return this.#shown.delete(id);
    });
    return { removed: reported, callIds };
  }

  /** Adds a new or changed message. Returns the ids of the calls that it is or was about. */
  #add(message: SessionMessage): string[] {
    const old = this.#known.get(message.id);
    this.#known.set(message.id, message);
    this.#status.accept(message);
    return old === undefined ? this.#calls.add(message) : this.#calls.replace(old, message);
  }

  /**
   * Describes a message that has changed, or that another message about the same tool call may have changed: an answer
   * is shown until the CLI records the answer again with the call.
   */
  #describe(id: string, isChanged: boolean, removed: string[]): SessionMessageUpdate | undefined {
    const message = this.#known.get(id);
    if (message === undefined) return undefined;
    const unified = toUnifiedMessage(message, this.#calls);
    const shown = this.#shown.get(id);
    if (unified.mark !== undefined && this.#options.extras !== 'mark') {
      if (this.#shown.delete(id)) removed.push(id);
      return undefined;
    }
    if (!isChanged && isDeepStrictEqual(shown, unified)) return undefined;
    this.#shown.set(id, unified);
    const change = shown === undefined ? 'new' : 'changed';
    return { type: 'message', change, message: unified };
  }
}
