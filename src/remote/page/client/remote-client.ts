import { isAnswer } from '../../session/is-answer.js';
import { removeDrafts } from './drafts.js';
import type { PageMessage, SentMessage } from './page-message.js';
import { PastList } from './past-list.js';
import { PreviewTexts } from './preview-texts.js';
import { readEventStream } from './read-event-stream.js';
import { ServerClock } from './server-clock.js';

const TOKEN_KEY = 'remote-token';
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 10_000;
/** The server sends a sign of life every 15 seconds. A line without one for longer is dead, whatever the browser thinks. */
const SILENCE_MS = 40_000;
/** Times after which a request that got no answer is sent again. */
const REPEAT_AFTER_MS = [500, 2_000];
/** Time after which a request counts as lost: a line may stay open, although nothing comes through it. */
const ANSWER_MS = 20_000;
/** A change of sides waits for the next UTC minute, and for the CLI. */
const HANDOVER_MS = 180_000;
const HANDOVER = /\/(?:take-over|hand-back)$/;

/** What the page has of a session. */
export interface KnownEntries {
  readonly lastSeq: number;
  /** Run of the server that has sent the entries. */
  readonly run: string | undefined;
}

/** Error of a request, with the words of the server. */
export class RequestFailure extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Connection of the page to the server. */
export class RemoteClient {
  readonly clock = new ServerClock();
  readonly #past = new PastList();
  #token: string | null = localStorage.getItem(TOKEN_KEY);

  get isPaired(): boolean {
    return this.#token !== null;
  }

  /** Exchanges the one-time code for a token. */
  async pair(code: string, name: string): Promise<void> {
    const { token } = await this.post<{ token: string }>('/api/pair', { code, name });
    this.#token = token;
    localStorage.setItem(TOKEN_KEY, token);
  }

  /** Takes the token of a pairing that another tab has made. Returns false if there is none. */
  takeToken(): boolean {
    const token = localStorage.getItem(TOKEN_KEY);
    const isNew = token !== null && token !== this.#token;
    if (isNew) this.#token = token;
    return isNew;
  }

  /** Forgets the pairing and all that was typed. */
  forget(): void {
    // Another tab may have paired the device again.
    if (localStorage.getItem(TOKEN_KEY) === this.#token) localStorage.removeItem(TOKEN_KEY);
    removeDrafts();
    this.#token = null;
  }

  get<Answer>(path: string): Promise<Answer> {
    return this.#request(path, { method: 'GET' });
  }

  /** Sends a request that changes something. It is repeated if the line fails; the server acts once. */
  async post<Answer = object>(path: string, body: object): Promise<Answer> {
    const headers = {
      'content-type': 'application/json',
      'idempotency-key': crypto.randomUUID(),
    };
    const patienceMs = HANDOVER.test(path) ? HANDOVER_MS : ANSWER_MS;
    const send = (): Promise<Answer> =>
      this.#request(path, {
        ...{ method: 'POST', headers, body: JSON.stringify(body) },
        signal: AbortSignal.timeout(patienceMs),
      });
    for (const waitMs of REPEAT_AFTER_MS) {
      try {
        return await send();
      } catch (error) {
        if (error instanceof RequestFailure) throw error;
        await new Promise((resolve) => setTimeout(resolve, waitMs));
      }
    }
    try {
      return await send();
    } catch (error) {
      if (error instanceof RequestFailure) throw error;
      throw new Error('The server cannot be reached. Try again when the line is back.');
    }
  }

  /**
   * Follows the server. After a dropped line the stream is opened again from the last entry that came. Returns a function
   * that ends this.
   *
   * @param known returns the number of the last entry that the page has, and the run of the server that it is from
   */
  follow(
    sessionId: string | undefined,
    known: () => KnownEntries,
    onMessage: (message: PageMessage) => void,
    onLine: (isConnected: boolean) => void,
  ): () => void {
    const ending = new AbortController();
    const run = async (): Promise<void> => {
      for (let waitMs = FIRST_WAIT_MS; !ending.signal.aborted; ) {
        try {
          await this.#stream(sessionId, known(), ending.signal, (message) => {
            waitMs = FIRST_WAIT_MS;
            onLine(true);
            onMessage(message);
          });
        } catch (error) {
          if (error instanceof RequestFailure && error.status === 401) {
            this.forget();
            location.reload();
            return;
          }
        }
        if (ending.signal.aborted) return;
        onLine(false);
        await new Promise((resolve) => setTimeout(resolve, waitMs));
        waitMs = Math.min(LONGEST_WAIT_MS, waitMs * 2);
      }
    };
    void run();
    return () => ending.abort();
  }

  /** Tells the server whether a person looks at the page, so that it knows when to send a push message. */
  look(streamId: string, isLooking: boolean): void {
    const headers = { 'content-type': 'application/json', ...this.#headers() };
    const body = JSON.stringify({ streamId, isLooking });
    // The request must outlive a page that the browser is about to freeze.
    const init = { method: 'POST', headers, body, keepalive: true };
    void fetch('/api/looking', init).catch(() => {});
  }

  async #stream(
    sessionId: string | undefined,
    { lastSeq, run }: KnownEntries,
    signal: AbortSignal,
    onMessage: (message: PageMessage) => void,
  ): Promise<void> {
    const silence = new AbortController();
    let timer = setTimeout(() => silence.abort(), SILENCE_MS);
    const query = new URLSearchParams({
      after: String(lastSeq),
      looking: document.hidden ? '0' : '1',
    });
    if (sessionId !== undefined) query.set('session', sessionId);
    if (run !== undefined) query.set('run', run);
    if (this.#past.version !== undefined) query.set('past', this.#past.version);
    try {
      const response = await fetch(`/api/events?${query}`, {
        headers: this.#headers(),
        signal: AbortSignal.any([signal, silence.signal]),
      });
      if (!response.ok || response.body === null)
        throw new RequestFailure(response.status, 'No stream');
      const onData = (): void => {
        clearTimeout(timer);
        timer = setTimeout(() => silence.abort(), SILENCE_MS);
      };
      const previews = new PreviewTexts();
      await readEventStream(response.body, onData, (data) =>
        onMessage(this.#complete(JSON.parse(data), previews)),
      );
    } finally {
      clearTimeout(timer);
      // A stream that was given up must not stay open.
      silence.abort();
    }
  }

  /** Adds to a message what the server has left out. Throws if the page does not have it: the stream is then opened again. */
  #complete(message: SentMessage, previews: PreviewTexts): PageMessage {
    switch (message.type) {
      case 'hello':
        this.clock.set(message.now);
        return { ...message, sessions: this.#past.complete(message) };
      case 'entries':
        if (message.entries.some(({ content }) => isAnswer(content))) previews.dropText();
        return message;
      case 'preview': {
        const text = previews.join(message);
        if (text === undefined) throw new Error('A part of the text is missing');
        return { ...message, text };
      }
      default:
        return message;
    }
  }

  async #request<Answer>(path: string, init: RequestInit): Promise<Answer> {
    const response = await fetch(path, {
      ...init,
      headers: { ...init.headers, ...this.#headers() },
    });
    const answer: unknown = await response.json().catch(() => ({}));
    if (response.ok) return answer as Answer;
    const { message, hint } = answer as { message?: string; hint?: string };
    throw new RequestFailure(
      response.status,
      [message ?? `HTTP ${response.status}`, hint].filter(Boolean).join('. '),
    );
  }

  #headers(): Record<string, string> {
    return this.#token === null ? {} : { authorization: `Bearer ${this.#token}` };
  }
}
