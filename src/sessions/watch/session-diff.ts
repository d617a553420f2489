import { isDeepStrictEqual } from 'node:util';
import type { SessionMessage } from '../../api/session.js';
import type { SessionMessageUpdate, SessionUpdate } from '../../api/session-update.js';
import type { UnifyOptions } from '../../api/unified-message.js';
import { RecordedCalls } from '../messages/recorded-calls.js';
import { toUnifiedMessage } from '../messages/to-unified-message.js';
import type { FileReading } from './file-reading.js';
import { SessionStatus } from './session-status.js';

/** What a look at the file means for somebody who has seen all that came before. */
export class SessionDiff {
  readonly #options: UnifyOptions;
  readonly #known = new Map<string, SessionMessage>();
  /** The ids of those that are part of what is shown. */
  readonly #shown = new Set<string>();
  readonly #calls = new RecordedCalls();
  readonly #status = new SessionStatus();

  constructor(options: UnifyOptions) {
    this.#options = options;
  }

  accept(reading: FileReading): SessionUpdate[] {
    const gone = this.#forget(reading);
    const changed = reading.written.filter((message) => {
      return !isDeepStrictEqual(this.#known.get(message.id), message);
    });
    // An answer may stand before its call.
    for (const message of changed) this.#calls.add(message);
    const messages = changed.flatMap((message) => this.#accept(message, gone) ?? []);
    const status = this.#status.take(reading.header);
    return [
      ...reading.problems.map((diagnostic) => ({ type: 'problem' as const, diagnostic })),
      ...(gone.length === 0 ? [] : [{ type: 'removed' as const, ids: gone }]),
      ...messages,
      ...(status === undefined ? [] : [status]),
    ];
  }

  /** The ids of those that were shown. */
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

  #accept(message: SessionMessage, gone: string[]): SessionMessageUpdate | undefined {
    const { id } = message;
    this.#known.set(id, message);
    this.#status.accept(message);
    const unified = toUnifiedMessage(message, this.#calls);
    const wasShown = this.#shown.has(id);
    if (unified.mark !== undefined && this.#options.extras !== 'mark') {
      if (this.#shown.delete(id)) gone.push(id);
      return undefined;
    }
    this.#shown.add(id);
    return { type: 'message', change: wasShown ? 'changed' : 'new', message: unified };
  }
}
