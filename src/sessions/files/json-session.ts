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
 * Parses a session file of the older generation: one JSON object. The parser works on a stream, so that a truncated
 * file gives all its readable messages and a large file is never in memory as text.
 */
export class JsonSession {
  readonly #fields: Record<string, unknown> = {};
  readonly #messages = new Map<string, SessionMessage>();
  // Decode the bytes first: the parser would stop at invalid UTF-8, which becomes U+FFFD here.
  readonly #decoder = new TextDecoder();
  readonly #parser = new JSONParser({
    paths: [...HEADER_FIELDS.map((field) => `$.${field}`), '$.messages.*'],
    keepStack: false,
  });
  #damagedMessages = 0;
  #isWhole = false;
  #isBroken = false;
  #isFollowed = false;

  constructor() {
    this.#parser.onValue = ({ value, key, stack }) => {
      if (stack.length === 1) this.#fields[String(key)] = value;
      else this.#acceptMessage(value);
    };
    this.#parser.onEnd = () => {
      this.#isWhole = true;
    };
    // Without a handler the parser would throw, and the messages before the error would be lost.
    this.#parser.onError = () => {
      if (this.#isWhole) this.#isFollowed = true;
      else this.#isBroken = true;
    };
  }

  /** True if the object is complete. */
  get isWhole(): boolean {
    return this.#isWhole;
  }

  /** True if the file has content after the object. */
  get isFollowed(): boolean {
    return this.#isFollowed;
  }

  get header(): SessionHeader | undefined {
    return readHeader(this.#fields)?.header;
  }

  get messages(): readonly SessionMessage[] {
    return [...this.#messages.values()];
  }

  /** Number of messages and headers that could be read only in part or not at all. */
  get damaged(): number {
    return this.#damagedMessages + (readHeader(this.#fields)?.damaged ?? 0);
  }

  /** Parses a chunk. False if later chunks cannot be parsed. */
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
