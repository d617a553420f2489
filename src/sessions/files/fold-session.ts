import type { SessionHeader, SessionMessage } from '../../api/session.js';
import type { SessionLine } from './session-line.js';

/** Change of the messages by one line. */
export interface FoldedChange {
  /** New and changed messages, in the order of the session. */
  readonly written: readonly SessionMessage[];
  readonly removed: readonly string[];
}

const NO_CHANGE: FoldedChange = { written: [], removed: [] };

/** Builds a session from its lines: the last version of each message, in order. */
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

  /** Messages added since the last replacement of all messages. A resumed session begins with a copy of the old ones. */
  get latest(): readonly SessionMessage[] {
    return this.messages.filter(({ id }) => this.#appended.has(id));
  }

  messageOf(id: string): SessionMessage | undefined {
    return this.#messages.get(id);
  }

  /** Applies a line and returns the change of the messages. */
  accept(line: SessionLine): FoldedChange {
    switch (line.kind) {
      case 'header':
        this.#mergeHeader(line.header);
        for (const message of line.messages ?? []) this.#append(message);
        return { ...NO_CHANGE, written: line.messages ?? [] };
      case 'message':
        this.#append(line.message);
        return { ...NO_CHANGE, written: [line.message] };
      case 'change':
        this.#mergeHeader(line.header ?? {});
        return line.messages === undefined ? NO_CHANGE : this.#replaceAll(line.messages);
      case 'rewind':
        return { ...NO_CHANGE, removed: this.#rewindTo(line.id) };
    }
  }

  /** Merges header fields. A field that could not be read does not replace a known value. */
  #mergeHeader(header: object): void {
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
    // An unknown id removes all messages, as in the CLI.
    const dropped = ids.slice(Math.max(0, ids.indexOf(id)));
    for (const one of dropped) this.#messages.delete(one);
    return dropped;
  }
}
