import type { SessionHeader, SessionMessage, SessionRecord } from './session-record.js';

/** A session as its records leave it: the last version of each message, in order. */
export class SessionFold {
  header: SessionHeader | undefined;
  #messages = new Map<string, SessionMessage>();
  readonly #appended = new Set<string>();

  get messages(): readonly SessionMessage[] {
    return [...this.#messages.values()];
  }

  /** The messages since the whole list was last replaced: a resumed session begins with a new copy of the old ones. */
  get latest(): readonly SessionMessage[] {
    return this.messages.filter(({ id }) => this.#appended.has(id));
  }

  accept(record: SessionRecord): void {
    switch (record.kind) {
      case 'header':
        this.header = record.header;
        break;
      case 'message':
        this.#messages.set(record.message.id, record.message);
        this.#appended.add(record.message.id);
        break;
      case 'change':
        if (record.messages !== undefined) this.#replaceAll(record.messages);
        break;
      case 'rewind':
        this.#rewindTo(record.id);
        break;
    }
  }

  #replaceAll(messages: readonly SessionMessage[]): void {
    this.#appended.clear();
    this.#messages = new Map(messages.map((message) => [message.id, message]));
  }

  #rewindTo(id: string): void {
    const ids = [...this.#messages.keys()];
    // As the CLI does it: an id that is not there drops everything.
    for (const dropped of ids.slice(Math.max(0, ids.indexOf(id)))) this.#messages.delete(dropped);
  }
}
