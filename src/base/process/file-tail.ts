import { fstatSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';

const CHUNK_BYTES = 256 * 1024;

/** Reads a file while another process writes it. */
export class FileTail {
  readonly #handle: FileHandle;
  /** Two buffers: one is filled while the caller works on the other. */
  #buffers = [Buffer.allocUnsafe(CHUNK_BYTES), Buffer.allocUnsafe(CHUNK_BYTES)] as const;
  #position = 0;
  #ahead: Promise<Buffer> | undefined;

  static async open(path: string): Promise<FileTail> {
    return new FileTail(await open(path, 'r'));
  }

  private constructor(handle: FileHandle) {
    this.#handle = handle;
  }

  /** Returns the bytes added since the last call, or undefined. The bytes are valid until the next call. */
  async read(): Promise<Buffer | undefined> {
    const ahead = await this.#ahead;
    this.#ahead = undefined;
    // Read again if the read-ahead found nothing: bytes may have been added since.
    const chunk = ahead === undefined || ahead.length === 0 ? await this.#fill() : ahead;
    if (chunk.length === 0) return undefined;
    this.#position += chunk.length;
    // A full buffer means that more follows: read ahead while the caller works on this chunk.
    if (chunk.length === CHUNK_BYTES) this.#ahead = this.#fill();
    return chunk;
  }

  /** Number of bytes read so far. */
  get position(): number {
    return this.#position;
  }

  /** Present size of the file. Synchronous, because `fstat` takes less time than a promise. */
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
