import { parseDurationMs } from '../verdict/parse-retry-delay.js';

/** Notice of the CLI on stderr that a request failed and is retried. */
export interface RetryNotice {
  readonly attempt: number;
  /** Text of the notice, with the message of the API. */
  readonly text: string;
  readonly delayMs: number | undefined;
  readonly httpStatus: number | undefined;
}

const BEGINNING = /^Attempt (\d+) failed/;
const ENDING = /Retrying|Max attempts reached/;
/** Limit for the lines of a notice: the message of the API may have several. */
const MOST_LINES = 6;

/** Collects the notices "Attempt N failed…" from stderr: during minutes of retries the CLI prints nothing else. */
export class RetryNoticeReader {
  readonly #onNotice: (notice: RetryNotice) => void;
  #lines: string[] = [];

  constructor(onNotice: (notice: RetryNotice) => void) {
    this.#onNotice = onNotice;
  }

  accept(line: string): void {
    if (BEGINNING.test(line)) this.#lines = [];
    else if (this.#lines.length === 0) return;
    this.#lines.push(line);
    if (ENDING.test(line) || this.#lines.length >= MOST_LINES) this.#finish();
  }

  #finish(): void {
    const text = this.#lines.join('\n');
    this.#lines = [];
    const delay = /Retrying after (\d+ms)/.exec(text)?.[1];
    const status = /^Attempt \d+ failed with (?:status )?(\d{3})\b|"code":\s*(\d{3})/.exec(text);
    this.#onNotice({
      attempt: Number(BEGINNING.exec(text)?.[1]),
      text,
      delayMs: delay === undefined ? undefined : parseDurationMs(delay),
      httpStatus: status === null ? undefined : Number(status[1] ?? status[2]),
    });
  }
}
