import { FileTail } from '../../base/process/file-tail.js';
import type { RetryNotice } from '../gemini/retry-notice.js';
import { StderrWatch } from '../gemini/stderr-watch.js';
import type { OutputLimits } from './output-limits.js';

export interface Flood {
  readonly stream: 'stdout' | 'stderr';
  readonly limitBytes: number;
}

/** What a run prints into its two files: read while it goes on, and no longer than it is worth it. */
export class OutputFiles {
  readonly #limits: OutputLimits;
  readonly #stdout: FileTail;
  readonly #stderrTail: FileTail;
  readonly #stderr: StderrWatch;
  readonly #retries: RetryNotice[] = [];
  #stdoutBytes = 0;
  /** Where the reading of stdout ends, once that is known. */
  #lastByte = Number.POSITIVE_INFINITY;
  #isDecided = false;

  static async open(
    stdoutFile: string,
    stderrFile: string,
    limits: OutputLimits,
  ): Promise<OutputFiles> {
    const stdout = await FileTail.open(stdoutFile);
    try {
      return new OutputFiles(limits, stdout, await FileTail.open(stderrFile));
    } catch (error) {
      await stdout.close();
      throw error;
    }
  }

  private constructor(limits: OutputLimits, stdout: FileTail, stderrTail: FileTail) {
    this.#limits = limits;
    this.#stdout = stdout;
    this.#stderrTail = stderrTail;
    this.#stderr = new StderrWatch(stderrTail, (notice) => this.#retries.push(notice));
  }

  /** The next piece of stdout, if there is any by now. Valid until the next call. */
  async read(): Promise<Buffer | undefined> {
    return this.#stdout.position < this.#lastByte ? this.#stdout.read() : undefined;
  }

  /** There is a result, or we have ended the run: of what is still printed, only a little is read. */
  decide(): void {
    this.#isDecided = true;
    this.#readNoFurtherThan(this.#stdout.position + this.#limits.restBytes);
  }

  /** The CLI has gone: what comes now is from processes that it has left behind. */
  seal(): void {
    this.#readNoFurtherThan(this.#stdout.size);
  }

  /** Which of the two is more than a run may print, or more than is read of it. */
  findFlood(): Flood | undefined {
    const limitBytes = this.#isDecided ? this.#lastByte : this.#limits.stdoutBytes;
    if (this.#stdout.size > limitBytes) return { stream: 'stdout', limitBytes };
    const { stderrBytes } = this.#limits;
    return this.#stderrTail.size > stderrBytes
      ? { stream: 'stderr', limitBytes: stderrBytes }
      : undefined;
  }

  /** Reads a piece of stderr, and tells whether there was anything new on either. */
  async look(): Promise<boolean> {
    const hasStderr = await this.#stderr.read(this.#limits.restBytes);
    const before = this.#stdoutBytes;
    this.#stdoutBytes = this.#stdout.size;
    return hasStderr || this.#stdoutBytes > before;
  }

  /** The retries that stderr has told of since the last time. */
  takeRetries(): RetryNotice[] {
    return this.#retries.splice(0);
  }

  /** The last part of stderr, once everything that prints has gone. A run that ended by itself is heard out. */
  async conclude(): Promise<{ stderr: string; reportFiles: readonly string[] }> {
    const { stderrBytes, restBytes } = this.#limits;
    await this.#stderr.read(this.#isDecided ? restBytes : stderrBytes);
    await Promise.all([this.#stdout.close(), this.#stderrTail.close()]);
    return { stderr: this.#stderr.text, reportFiles: this.#stderr.reportFiles };
  }

  #readNoFurtherThan(byte: number): void {
    this.#lastByte = Math.min(this.#lastByte, byte);
  }
}
