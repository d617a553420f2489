import { LineFramer } from '../../base/ndjson/line-framer.js';
import type { FileTail } from '../../base/process/file-tail.js';
import { type RetryNotice, RetryNoticeReader } from './retry-notice.js';

/** As much as an error carries along. */
const TAIL_CHARACTERS = 16 * 1024;
const LONGEST_LINE_BYTES = 1024 * 1024;
/** The CLI writes the whole conversation into a file of the system's temp folder when a request fails. */
const REPORT = /Full report available at: (\S+gemini-client-error-\S+\.json)/;

/** Reads stderr while the CLI runs, whether or not anybody takes the events. */
export class StderrWatch {
  readonly reportFiles: string[] = [];
  readonly #tail: FileTail;
  readonly #framer: LineFramer;
  #text = '';

  constructor(tail: FileTail, onRetry: (notice: RetryNotice) => void) {
    this.#tail = tail;
    const retries = new RetryNoticeReader(onRetry);
    this.#framer = new LineFramer({
      maxLineBytes: LONGEST_LINE_BYTES,
      onLine: (line) => {
        retries.accept(line);
        const report = REPORT.exec(line)?.[1];
        if (report !== undefined) this.reportFiles.push(report);
      },
    });
  }

  /**
   * Takes in what is there by now, but no more than about this much; true where there was anything. What is
   * added meanwhile is left for the next time, or somebody who prints for ever would never let us go.
   */
  async read(mostBytes = Number.POSITIVE_INFINITY): Promise<boolean> {
    const start = this.#tail.position;
    const end = Math.min(this.#tail.size, start + mostBytes);
    while (this.#tail.position < end) {
      const chunk = await this.#tail.read();
      if (chunk === undefined) break;
      this.#framer.push(chunk);
      this.#text = (this.#text + chunk.toString('utf8')).slice(-TAIL_CHARACTERS);
    }
    return this.#tail.position > start;
  }

  /** Whole lines: what was cut may be half of a secret, which nobody would recognise. */
  get text(): string {
    const isCut = this.#text.length === TAIL_CHARACTERS;
    return isCut ? this.#text.slice(this.#text.indexOf('\n') + 1) : this.#text;
  }
}
