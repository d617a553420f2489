import { type FileHandle, open } from 'node:fs/promises';

const CHUNK_BYTES = 256 * 1024;

/** Reads a file that another process is still writing. */
export class FileTail {
  readonly #handle: FileHandle;
  readonly #buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  #position = 0;

  static async open(path: string): Promise<FileTail> {
    return new FileTail(await open(path, 'r'));
  }

  private constructor(handle: FileHandle) {
    this.#handle = handle;
  }

  /** What has been added since the last call, or undefined. Valid until the next call. */
  async read(): Promise<Buffer | undefined> {
    const { bytesRead } = await this.#handle.read(this.#buffer, 0, CHUNK_BYTES, this.#position);
    if (bytesRead === 0) return undefined;
    this.#position += bytesRead;
    return this.#buffer.subarray(0, bytesRead);
  }

  /** How much there is by now, read or not. */
  async size(): Promise<number> {
    return (await this.#handle.stat()).size;
  }

  close(): Promise<void> {
    return this.#handle.close();
  }
}
