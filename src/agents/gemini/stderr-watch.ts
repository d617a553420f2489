import { LineFramer } from '../../base/ndjson/line-framer.js';
import type { FileTail } from '../../base/process/file-tail.js';
import { type RetryNotice, RetryNoticeReader } from './retry-notice.js';

/** Length of the `stderrTail` of an error. */
const TAIL_CHARACTERS = 16 * 1024;
const LONGEST_LINE_BYTES = 1024 * 1024;
/** Line that names an error report: after a failed request, the CLI writes the conversation into the temp folder. */
const REPORT = /Full report available at: (\S+gemini-client-error-\S+\.json)/;

/** Reads stderr of a running CLI, independent of the consumer of the events. */
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
   * Reads the present content of the file, at most about `mostBytes`. Returns true if there was new content. Bytes that
   * are added meanwhile wait for the next call: otherwise an endless printer would keep this loop running.
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

  /** Last part of stderr in whole lines: the redactor could not recognise a secret that was cut in half. */
  get text(): string {
    const isCut = this.#text.length === TAIL_CHARACTERS;
    return isCut ? this.#text.slice(this.#text.indexOf('\n') + 1) : this.#text;
  }
}
