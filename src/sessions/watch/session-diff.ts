import { isDeepStrictEqual } from 'node:util';
import type { SessionMessage } from '../../api/session.js';
import type { SessionMessageUpdate, SessionUpdate } from '../../api/session-update.js';
import type { UnifyOptions } from '../../api/unified-message.js';
import { RecordedCalls } from '../messages/recorded-calls.js';
import { toUnifiedMessage } from '../messages/to-unified-message.js';
import type { FileReading } from './file-reading.js';
import { SessionStatus } from './session-status.js';

/** Converts each reading of a session file to the updates since the previous reading. */
export class SessionDiff {
  readonly #options: UnifyOptions;
  readonly #known = new Map<string, SessionMessage>();
  /** Ids of the messages that were reported. */
  readonly #shown = new Set<string>();
  readonly #calls = new RecordedCalls();
  readonly #status = new SessionStatus();

  constructor(options: UnifyOptions) {
    this.#options = options;
  }

  accept(reading: FileReading): SessionUpdate[] {
    const removed = this.#forget(reading);
    const changed = reading.written.filter((message) => {
      return !isDeepStrictEqual(this.#known.get(message.id), message);
    });
    // Add all calls first, because an answer may be recorded before its call.
    for (const message of changed) this.#calls.add(message);
    const messages = changed.flatMap((message) => this.#accept(message, removed) ?? []);
    const status = this.#status.take(reading.header);
    return [
      ...reading.problems.map((diagnostic) => ({ type: 'problem' as const, diagnostic })),
      ...(removed.length === 0 ? [] : [{ type: 'removed' as const, ids: removed }]),
      ...messages,
      ...(status === undefined ? [] : [status]),
    ];
  }

  /** Forgets removed messages and returns the ids of those that were reported. */
  #forget({ written, removed, isEverything }: FileReading): string[] {
    const present = new Set(written.map(({ id }) => id));
    const missing = isEverything ? [...this.#known.keys()].filter((id) => !present.has(id)) : [];
    return [...new Set([...removed, ...missing])].filter((id) => {
      const message = this.#known.get(id);
      if (message === undefined) return false;
      this.#known.delete(id);
      this.#calls.forget(message);
      this.#status.remove(id);
      return this.#shown.delete(id);
    });
  }

  #accept(message: SessionMessage, removed: string[]): SessionMessageUpdate | undefined {
    const { id } = message;
    this.#known.set(id, message);
    this.#status.accept(message);
    const unified = toUnifiedMessage(message, this.#calls);
    const wasShown = this.#shown.has(id);
    if (unified.mark !== undefined && this.#options.extras !== 'mark') {
      if (this.#shown.delete(id)) removed.push(id);
      return undefined;
    }
    this.#shown.add(id);
    return { type: 'message', change: wasShown ? 'changed' : 'new', message: unified };
  }
}
