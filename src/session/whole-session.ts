import { JSONParser } from '@streamparser/json';
import type { SessionHeader, SessionMessage } from '../contract/session.js';
import { parseHeader, readMessage } from './session-record.js';

const HEADER_FIELDS = [
  'sessionId',
  'projectHash',
  'startTime',
  'lastUpdated',
  'kind',
  'summary',
  'directories',
];

/**
 * The older generation: the whole session as one JSON object. It is read piece by piece, so that one that
 * ends in the middle gives all it has, and a large one never stands in memory as text.
 */
export class WholeSession {
  readonly #fields: Record<string, unknown> = {};
  readonly #messages = new Map<string, SessionMessage>();
  readonly #parser = new JSONParser({
    paths: [...HEADER_FIELDS.map((field) => `$.${field}`), '$.messages.*'],
    keepStack: false,
  });
  damaged = 0;
  #isOver = false;
  #isBroken = false;

  constructor() {
    this.#parser.onValue = ({ value, key, stack }) => {
      if (stack.length === 1) this.#fields[String(key)] = value;
      else this.#acceptMessage(value);
    };
    this.#parser.onEnd = () => {
      this.#isOver = true;
    };
    // Without a handler it would throw, and what came before the error is what we want.
    this.#parser.onError = () => {
      this.#isBroken = true;
    };
  }

  /** Whether the object has come to its end. */
  get isWhole(): boolean {
    return this.#isOver && !this.#isBroken;
  }

  get header(): SessionHeader | undefined {
    return parseHeader(this.#fields);
  }

  get messages(): readonly SessionMessage[] {
    return [...this.#messages.values()];
  }

  /** False where nothing more can be made of what follows. */
  push(chunk: Uint8Array): boolean {
    if (this.#isOver || this.#isBroken) return false;
    this.#parser.write(chunk);
    return !this.#isBroken;
  }

  #acceptMessage(value: unknown): void {
    const read = readMessage(value);
    this.damaged += read?.damaged ?? 1;
    if (read !== undefined) this.#messages.set(read.message.id, read.message);
  }
}
