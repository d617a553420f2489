import { FileTail } from '../../base/process/file-tail.js';
import type { RetryNotice } from '../gemini/retry-notice.js';
import { StderrWatch } from '../gemini/stderr-watch.js';
import type { OutputLimits } from './output-limits.js';

export interface Flood {
  readonly stream: 'stdout' | 'stderr';
  readonly limitBytes: number;
}

/** Reads the two output files of the CLI while it runs, up to the limits. */
export class OutputFiles {
  readonly #limits: OutputLimits;
  readonly #stdout: FileTail;
  readonly #stderrTail: FileTail;
  readonly #stderr: StderrWatch;
  readonly #retries: RetryNotice[] = [];
  #stdoutBytes = 0;
  /** Position in stdout at which reading ends; infinite while the CLI works. */
  #lastByte = Number.POSITIVE_INFINITY;
  #isRestLimited = false;

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

  /** Reads the next piece of stdout; undefined if there is none yet. The buffer is valid until the next call. */
  async read(): Promise<Buffer | undefined> {
    return this.#stdout.position < this.#lastByte ? this.#stdout.read() : undefined;
  }

  /** Limits further reading to `restBytes`, because there is a result or the process is being stopped. */
  limitRest(): void {
    this.#isRestLimited = true;
    this.#readNoFurtherThan(this.#stdout.position + this.#limits.restBytes);
  }

  /** Ends reading at the present size: after the exit of the CLI, only orphaned processes can still write. */
  seal(): void {
    this.#readNoFurtherThan(this.#stdout.size);
  }

  /** Returns the file that exceeds its limit, if there is one. */
  findFlood(): Flood | undefined {
    const limitBytes = this.#isRestLimited ? this.#lastByte : this.#limits.stdoutBytes;
    if (this.#stdout.size > limitBytes) return { stream: 'stdout', limitBytes };
    const { stderrBytes } = this.#limits;
    return this.#stderrTail.size > stderrBytes
      ? { stream: 'stderr', limitBytes: stderrBytes }
      : undefined;
  }

  /** Reads a piece of stderr. Returns true if stdout or stderr has grown. */
  async poll(): Promise<boolean> {
    const hasStderr = await this.#stderr.read(this.#limits.restBytes);
    const before = this.#stdoutBytes;
    this.#stdoutBytes = this.#stdout.size;
    return hasStderr || this.#stdoutBytes > before;
  }

  /** Returns the retries that stderr has reported since the last call. */
  takeRetries(): RetryNotice[] {
    return this.#retries.splice(0);
  }

  /** Reads the rest of stderr and closes both files. Call it after all processes have exited. */
  async conclude(): Promise<{ stderr: string; reportFiles: readonly string[] }> {
    const { stderrBytes, restBytes } = this.#limits;
    await this.#stderr.read(this.#isRestLimited ? restBytes : stderrBytes);
    await Promise.all([this.#stdout.close(), this.#stderrTail.close()]);
    return { stderr: this.#stderr.text, reportFiles: this.#stderr.reportFiles };
  }

  #readNoFurtherThan(byte: number): void {
    this.#lastByte = Math.min(this.#lastByte, byte);
  }
}
