import type { SessionHeader, SessionMessage } from '../../api/session.js';
import type { SessionLine } from './session-line.js';

/** What one line has done to the messages. */
export interface FoldedChange {
  /** New versions, in the order of the session. */
  readonly written: readonly SessionMessage[];
  readonly removed: readonly string[];
}

const NOTHING: FoldedChange = { written: [], removed: [] };

/** A session as its lines leave it: the last version of each message, in order. */
export class SessionFold {
  readonly #header: Record<string, unknown> = {};
  #messages = new Map<string, SessionMessage>();
  readonly #appended = new Set<string>();

  get header(): SessionHeader | undefined {
    const { sessionId } = this.#header;
    return typeof sessionId === 'string' ? { ...this.#header, sessionId } : undefined;
  }

  get messages(): readonly SessionMessage[] {
    return [...this.#messages.values()];
  }

  /** The messages since the whole list was last replaced: a resumed session begins with a new copy of the old ones. */
  get latest(): readonly SessionMessage[] {
    return this.messages.filter(({ id }) => this.#appended.has(id));
  }

  messageOf(id: string): SessionMessage | undefined {
    return this.#messages.get(id);
  }

  accept(line: SessionLine): FoldedChange {
    switch (line.kind) {
      case 'header':
        this.#describe(line.header);
        for (const message of line.messages ?? []) this.#append(message);
        return { ...NOTHING, written: line.messages ?? [] };
      case 'message':
        this.#append(line.message);
        return { ...NOTHING, written: [line.message] };
      case 'change':
        this.#describe(line.header ?? {});
        return line.messages === undefined ? NOTHING : this.#replaceAll(line.messages);
      case 'rewind':
        return { ...NOTHING, removed: this.#rewindTo(line.id) };
    }
  }

  /** What could not be read does not take the place of what is known. */
  #describe(header: object): void {
    for (const [name, field] of Object.entries(header)) {
      if (field !== undefined) this.#header[name] = field;
    }
  }

  #append(message: SessionMessage): void {
    this.#messages.set(message.id, message);
    this.#appended.add(message.id);
  }

  #replaceAll(messages: readonly SessionMessage[]): FoldedChange {
    const before = this.#messages;
    this.#appended.clear();
    this.#messages = new Map(messages.map((message) => [message.id, message]));
    const removed = [...before.keys()].filter((id) => !this.#messages.has(id));
    return { written: messages, removed };
  }

  #rewindTo(id: string): string[] {
    const ids = [...this.#messages.keys()];
    // As the CLI does it: an id that is not there drops everything.
    const dropped = ids.slice(Math.max(0, ids.indexOf(id)));
    for (const one of dropped) this.#messages.delete(one);
    return dropped;
  }
}
