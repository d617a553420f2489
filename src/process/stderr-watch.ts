import { LineFramer } from '../ndjson/line-framer.js';
import type { FileTail } from './file-tail.js';
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

  /** Takes in what has come; true where there was anything. */
  async read(): Promise<boolean> {
    let hasRead = false;
    for (
      let chunk = await this.#tail.read();
      chunk !== undefined;
      chunk = await this.#tail.read()
    ) {
      hasRead = true;
      this.#framer.push(chunk);
      this.#text = (this.#text + chunk.toString('utf8')).slice(-TAIL_CHARACTERS);
    }
    return hasRead;
  }

  /** Whole lines: what was cut may be half of a secret, which nobody would recognise. */
  get text(): string {
    const isCut = this.#text.length === TAIL_CHARACTERS;
    return isCut ? this.#text.slice(this.#text.indexOf('\n') + 1) : this.#text;
  }
}
