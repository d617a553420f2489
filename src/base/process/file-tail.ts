import { fstatSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';

const CHUNK_BYTES = 256 * 1024;

/** Reads a file that another process is still writing. */
export class FileTail {
  readonly #handle: FileHandle;
  /** Two, so that one can be filled while the other is looked at. */
  #buffers = [Buffer.allocUnsafe(CHUNK_BYTES), Buffer.allocUnsafe(CHUNK_BYTES)] as const;
  #position = 0;
  #ahead: Promise<Buffer> | undefined;

  static async open(path: string): Promise<FileTail> {
    return new FileTail(await open(path, 'r'));
  }

  private constructor(handle: FileHandle) {
    this.#handle = handle;
  }

  /** What has been added since the last call, or undefined. Valid until the next call. */
  async read(): Promise<Buffer | undefined> {
    const ahead = await this.#ahead;
    this.#ahead = undefined;
    // What was fetched ahead may have come too early.
    const chunk = ahead === undefined || ahead.length === 0 ? await this.#fill() : ahead;
    if (chunk.length === 0) return undefined;
    this.#position += chunk.length;
    // A full buffer means that there is more: it is fetched while the caller works on this one.
    if (chunk.length === CHUNK_BYTES) this.#ahead = this.#fill();
    return chunk;
  }

  /** How much has been read. */
  get position(): number {
    return this.#position;
  }

  /** How much there is by now, read or not. Not awaited: asking the system takes less time than that would. */
  get size(): number {
    return fstatSync(this.#handle.fd).size;
  }

  async close(): Promise<void> {
    await this.#ahead;
    await this.#handle.close();
  }

  async #fill(): Promise<Buffer> {
    const [buffer, other] = this.#buffers;
    this.#buffers = [other, buffer];
    const { bytesRead } = await this.#handle.read(buffer, 0, CHUNK_BYTES, this.#position);
    return buffer.subarray(0, bytesRead);
  }
}
