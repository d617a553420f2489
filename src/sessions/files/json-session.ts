import { JSONParser } from '@streamparser/json';
import type { SessionHeader, SessionMessage } from '../../api/session.js';
import { readHeader } from './session-line.js';
import { readMessage } from './session-message.js';

const HEADER_FIELDS = [
  'sessionId',
  'projectHash',
  'startTime',
  'lastUpdated',
  'kind',
  'summary',
  'directories',
  'memoryScratchpad',
];

/**
 * The older generation: the whole session as one JSON object. It is read piece by piece, so that one that
 * ends in the middle gives all it has, and a large one never stands in memory as text.
 */
export class JsonSession {
  readonly #fields: Record<string, unknown> = {};
  readonly #messages = new Map<string, SessionMessage>();
  // The parser gives up at bytes that are no text; as in the other generation, they cost only themselves.
  readonly #decoder = new TextDecoder();
  readonly #parser = new JSONParser({
    paths: [...HEADER_FIELDS.map((field) => `$.${field}`), '$.messages.*'],
    keepStack: false,
  });
  #damagedMessages = 0;
  #isOver = false;
  #isBroken = false;
  #isFollowed = false;

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
      if (this.#isOver) this.#isFollowed = true;
      else this.#isBroken = true;
    };
  }

  /** Whether the object has come to its end. */
  get isWhole(): boolean {
    return this.#isOver;
  }

  /** Whether there is something after its end. */
  get isFollowed(): boolean {
    return this.#isFollowed;
  }

  get header(): SessionHeader | undefined {
    return readHeader(this.#fields)?.header;
  }

  get messages(): readonly SessionMessage[] {
    return [...this.#messages.values()];
  }

  /** How many things could not be read as they should. */
  get damaged(): number {
    return this.#damagedMessages + (readHeader(this.#fields)?.damaged ?? 0);
  }

  /** False where nothing more can be made of what follows. */
  push(chunk: Uint8Array): boolean {
    if (this.#isFollowed || this.#isBroken) return false;
    this.#parser.write(this.#decoder.decode(chunk, { stream: true }));
    return !this.#isFollowed && !this.#isBroken;
  }

  #acceptMessage(value: unknown): void {
    const read = readMessage(value);
    this.#damagedMessages += read?.damaged ?? 1;
    if (read !== undefined) this.#messages.set(read.message.id, read.message);
  }
}
