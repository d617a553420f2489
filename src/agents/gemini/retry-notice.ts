import { parseDurationMs } from '../verdict/parse-retry-delay.js';

/** The CLI says on stderr that a request failed and will be tried again. */
export interface RetryNotice {
  readonly attempt: number;
  /** What it said, the API's own words included. */
  readonly text: string;
  readonly delayMs: number | undefined;
  readonly httpStatus: number | undefined;
}

const BEGINNING = /^Attempt (\d+) failed/;
const ENDING = /Retrying|Max attempts reached/;
/** The API's message may have a few lines of its own. */
const MOST_LINES = 6;

/** Collects "Attempt N failed…" from the lines of stderr: the only sign of life during minutes of retries. */
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
