import { isDeepStrictEqual } from 'node:util';
import type { SessionMessage } from '../contract/session.js';
import type { SessionMessageUpdate, SessionUpdate } from '../contract/session-update.js';
import type { UnifyOptions } from '../contract/unified-message.js';
import { RecordedCalls } from '../unified/recorded-calls.js';
import { toUnifiedMessage } from '../unified/to-unified-message.js';
import type { Look } from './look.js';
import { SessionStatus } from './session-status.js';

/** What a look at the file means for somebody who has seen all that came before. */
export class SessionDiff {
  readonly #options: UnifyOptions;
  readonly #known = new Map<string, SessionMessage>();
  readonly #calls = new RecordedCalls();
  readonly #status = new SessionStatus();

  constructor(options: UnifyOptions) {
    this.#options = options;
  }

  accept(look: Look): SessionUpdate[] {
    const removed = this.#forget(look);
    const messages = look.written.flatMap((message) => this.#accept(message) ?? []);
    const status = this.#status.take(look.header);
    return [
      ...look.problems.map((diagnostic) => ({ type: 'problem' as const, diagnostic })),
      ...(removed.length === 0 ? [] : [{ type: 'removed' as const, ids: removed }]),
      ...messages,
      ...(status === undefined ? [] : [status]),
    ];
  }

  #forget({ written, removed, isEverything }: Look): string[] {
    const present = new Set(written.map(({ id }) => id));
    const missing = isEverything ? [...this.#known.keys()].filter((id) => !present.has(id)) : [];
    const gone = [...new Set([...removed, ...missing])].filter((id) => this.#known.has(id));
    for (const id of gone) {
      this.#known.delete(id);
      this.#status.remove(id);
    }
    return gone;
  }

  #accept(message: SessionMessage): SessionMessageUpdate | undefined {
    const known = this.#known.get(message.id);
    if (known !== undefined && isDeepStrictEqual(known, message)) return undefined;
    this.#known.set(message.id, message);
    this.#status.accept(message);
    this.#calls.add(message);
    const unified = toUnifiedMessage(message, this.#calls);
    if (unified.mark !== undefined && this.#options.extras !== 'mark') return undefined;
    return { type: 'message', change: known === undefined ? 'new' : 'changed', message: unified };
  }
}
