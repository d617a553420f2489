import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { RemoteChange, RemoteControl } from '../../api/remote-control.js';
import type { RemoteEntry } from '../../api/remote-entry.js';
import { ProviderError } from '../../base/errors/provider-error.js';
import { isAnswer } from '../session/is-answer.js';
import { PreviewSender } from './preview-sender.js';
import { describeSessions } from './sent-sessions.js';

/** Time between two signs of life. Proxies close a silent connection after half a minute. */
const HEARTBEAT_MS = 15_000;
/** Bytes that a slow device may be behind. Beyond that its stream is closed; the device connects again and gets the rest. */
const MOST_UNSENT_BYTES = 8 * 1024 * 1024;
const REPLAY_LIMIT = 500;

export interface EventStreamOptions {
  readonly control: RemoteControl;
  readonly response: ServerResponse;
  /** Session whose entries are sent. */
  readonly sessionId: string | undefined;
  /** Number of the last entry that the device has. */
  readonly afterSeq: number;
  /** Version of the sessions of the past that the device has. */
  readonly pastVersion?: string | undefined;
  /** Facts about the server, with which the stream begins. */
  readonly greeting: object;
  /** False if the pairing of the device was ended or has expired. The stream then ends with the next sign of life. */
  readonly isPaired: () => boolean;
}

/**
 * Stream of events for one device: the changes of all sessions, and the entries of one session from a number on. Entries
 * that come while the log is read are sent after it, each once and in order.
 */
export class EventStream {
  readonly #options: EventStreamOptions;
  readonly #unsubscribe: () => void;
  readonly #heartbeat: NodeJS.Timeout;
  #lastSeq: number;
  #waiting: RemoteEntry[] | undefined = [];
  readonly #previews: PreviewSender;
  #isClosed = false;
  readonly #onClose: () => void;

  constructor(options: EventStreamOptions, onClose: () => void) {
    this.#options = options;
    this.#onClose = onClose;
    this.#lastSeq = options.afterSeq;
    const { response, control } = options;
    response.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    });
    this.#previews = new PreviewSender((message) => this.send(message));
    this.#unsubscribe = control.subscribe((change) => this.#onChange(change));
    this.#heartbeat = setInterval(() => {
      if (options.isPaired()) this.#write(': \n\n');
      else this.close();
    }, HEARTBEAT_MS);
    response.on('close', () => this.close());
  }

  /** Sends the greeting, the list of sessions, and the entries that the device lacks. */
  async start(): Promise<void> {
    const { control, sessionId, greeting, pastVersion } = this.#options;
    this.send({
      type: 'hello',
      ...greeting,
      // The page tells the age of things by this clock: that of the device may be wrong.
      now: new Date().toISOString(),
      ...describeSessions(control.list(), pastVersion),
      rules: control.rules(),
    });
    if (sessionId === undefined) return;
    try {
      await this.#replay(sessionId);
    } catch (error) {
      // The address of the page names a session that is not there. The list still is of use.
      if (!ProviderError.isInstance(error)) throw error;
    }
    const waiting = this.#waiting ?? [];
    this.#waiting = undefined;
    for (const entry of waiting) this.#sendEntry(entry);
    this.send({ type: 'live', sessionId });
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#unsubscribe();
    clearInterval(this.#heartbeat);
    this.#previews.close();
    this.#options.response.end();
    this.#onClose();
  }

  /** Sends the entries that the device lacks, no faster than the line takes them. */
  async #replay(sessionId: string): Promise<void> {
    const { control, response } = this.#options;
    for (;;) {
      const entries = await control.entries(sessionId, this.#lastSeq, REPLAY_LIMIT);
      if (this.#isClosed) return;
      if (entries.length > 0) this.send({ type: 'entries', sessionId, entries });
      this.#lastSeq = entries.at(-1)?.seq ?? this.#lastSeq;
      // Fewer entries than asked for are not the end: a line that was damaged meanwhile is left out.
      if (entries.length === 0) return;
      if (response.writableNeedDrain) await untilDrained(response);
    }
  }

  #onChange(change: RemoteChange): void {
    if (change.type === 'session') {
      this.send(change);
      return;
    }
    if (change.sessionId !== this.#options.sessionId) {
      // Requests and decisions of all sessions are shown wherever the person is.
      const { type } = change.type === 'entry' ? change.entry.content : { type: undefined };
      if (type === 'request' || type === 'decision' || type === 'rule')
        this.send({ ...change, type: 'other-entry' });
      return;
    }
    if (change.type === 'preview') this.#previews.take(change);
    else if (this.#waiting !== undefined) this.#waiting.push(change.entry);
    else this.#sendEntry(change.entry);
  }

  #sendEntry(entry: RemoteEntry): void {
    if (entry.seq <= this.#lastSeq) return;
    this.#lastSeq = entry.seq;
    if (isAnswer(entry.content)) this.#previews.dropText();
    this.send({ type: 'entries', sessionId: this.#options.sessionId, entries: [entry] });
  }

  /** Sends a message. Does nothing if the stream is closed. */
  send(message: object): void {
    this.#write(`data: ${JSON.stringify(message)}\n\n`);
  }

  #write(text: string): void {
    const { response } = this.#options;
    if (this.#isClosed) return;
    response.write(text);
    if (response.writableLength > MOST_UNSENT_BYTES) this.close();
  }
}

/** Waits until a response takes more, or is closed. */
async function untilDrained(response: ServerResponse): Promise<void> {
  const waiting = new AbortController();
  const { signal } = waiting;
  try {
    await Promise.race([once(response, 'drain', { signal }), once(response, 'close', { signal })]);
  } finally {
    waiting.abort();
  }
}
