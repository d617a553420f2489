import { LineFramer } from '../../base/ndjson/line-framer.js';
import { FileTail } from '../../base/process/file-tail.js';
import { type RetryNotice, RetryNoticeReader } from './retry-notice.js';

/** Prefix of a log line: `[2026-11-16T05:03:33.044Z] [WARN] `. */
const PREFIX = /^\[[^\]]+\] \[\w+\] /;
const LONGEST_LINE_BYTES = 1024 * 1024;

/** Reads the debug log of a running CLI for retries: over ACP, the CLI writes stderr only when it exits. */
export class LogWatch {
  readonly #file: string;
  readonly #framer: LineFramer;
  #tail: FileTail | undefined;

  constructor(file: string, onRetry: (notice: RetryNotice) => void) {
    this.#file = file;
    const retries = new RetryNoticeReader(onRetry);
    this.#framer = new LineFramer({
      maxLineBytes: LONGEST_LINE_BYTES,
      onLine: (line) => retries.accept(line.replace(PREFIX, '')),
    });
  }

  /** Reads the new lines. The file may not exist yet: the CLI creates it with its first log line. */
  async read(): Promise<void> {
    this.#tail ??= await FileTail.open(this.#file).catch(() => undefined);
    if (this.#tail === undefined) return;
    for (
      let chunk = await this.#tail.read();
      chunk !== undefined;
      chunk = await this.#tail.read()
    ) {
      this.#framer.push(chunk);
    }
  }

  async close(): Promise<void> {
    await this.#tail?.close();
  }
}
