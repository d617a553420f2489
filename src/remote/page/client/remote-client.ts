import type { RemoteEntry } from '../../../api/remote-entry.js';
import type { RemoteDevice } from '../../../api/remote-options.js';
import type { RemoteRequest, RemoteRule } from '../../../api/remote-request.js';
import type { RemoteSession } from '../../../api/remote-session.js';
import { readEventStream } from './read-event-stream.js';

const TOKEN_KEY = 'remote-token';
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 10_000;
/** The server sends a sign of life every 15 seconds. A line without one for longer is dead, whatever the browser thinks. */
const SILENCE_MS = 40_000;

/** Message of the event stream. */
export type PageMessage =
  | {
      readonly type: 'hello';
      readonly sessions: readonly RemoteSession[];
      readonly requests: readonly RemoteRequest[];
      readonly rules: readonly RemoteRule[];
      readonly isAway: boolean;
      readonly notes: readonly string[];
    }
  | { readonly type: 'session'; readonly session: RemoteSession }
  | {
      readonly type: 'entries';
      readonly sessionId: string;
      readonly entries: readonly RemoteEntry[];
    }
  | { readonly type: 'other-entry'; readonly sessionId: string; readonly entry: RemoteEntry }
  | { readonly type: 'live'; readonly sessionId: string }
  | {
      readonly type: 'preview';
      readonly sessionId: string;
      readonly kind: 'text' | 'thought';
      readonly text: string;
    };

/** Facts about the server and this device. */
export interface PageServer {
  readonly device: RemoteDevice;
  readonly roots: readonly string[];
  readonly isAway: boolean;
  readonly notes: readonly string[];
  readonly pushKey?: string | undefined;
  readonly pushNote?: string | undefined;
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

  forget(): void {
    this.#token = null;
    localStorage.removeItem(TOKEN_KEY);
  }

  get<Answer>(path: string): Promise<Answer> {
    return this.#request(path, { method: 'GET' });
  }

  post<Answer = object>(path: string, body: object): Promise<Answer> {
    return this.#request(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  }

  /**
   * Follows the server. After a dropped line the stream is opened again from the last entry that came. Returns a function
   * that ends this.
   *
   * @param afterSeq returns the number of the last entry that the page has
   */
  follow(
    sessionId: string | undefined,
    afterSeq: () => number,
    onMessage: (message: PageMessage) => void,
    onLine: (isConnected: boolean) => void,
  ): () => void {
    const ending = new AbortController();
    const run = async (): Promise<void> => {
      for (let waitMs = FIRST_WAIT_MS; !ending.signal.aborted; ) {
        try {
          await this.#stream(sessionId, afterSeq(), ending.signal, (message) => {
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

  async #stream(
    sessionId: string | undefined,
    afterSeq: number,
    signal: AbortSignal,
    onMessage: (message: PageMessage) => void,
  ): Promise<void> {
    const silence = new AbortController();
    let timer = setTimeout(() => silence.abort(), SILENCE_MS);
    const query = new URLSearchParams({
      after: String(afterSeq),
      looking: document.hidden ? '0' : '1',
    });
    if (sessionId !== undefined) query.set('session', sessionId);
    const response = await fetch(`/api/events?${query}`, {
      headers: this.#headers(),
      signal: AbortSignal.any([signal, silence.signal]),
    });
    if (!response.ok || response.body === null)
      throw new RequestFailure(response.status, 'No stream');
    const [counted, read] = response.body.tee();
    void counted
      .pipeTo(
        new WritableStream({
          write: () => {
            clearTimeout(timer);
            timer = setTimeout(() => silence.abort(), SILENCE_MS);
          },
        }),
      )
      .catch(() => {});
    try {
      await readEventStream(read, (data) => onMessage(JSON.parse(data)));
    } finally {
      clearTimeout(timer);
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
