import type { FileHandle } from 'node:fs/promises';
import { openRegularFile } from '../../base/fs/regular-file.js';
import { JsonlSession } from '../files/jsonl-session.js';
import type { FileReading } from './file-reading.js';

const CHUNK_BYTES = 256 * 1024;
/** Number of last bytes that are compared to see that the file was only appended to. */
const SEAM_BYTES = 64;

/** Follows a file that grows. Reads it from the beginning if it was truncated, replaced or rewritten. */
export class JsonlFollower {
  #session = this.#createSession();
  #inode = -1;
  #offset = 0;
  #modifiedMs = 0;
  #seam = Buffer.alloc(0);
  #touched = new Set<string>();
  #removed = new Set<string>();
  #reportedProblems = 0;

  async readNew(path: string): Promise<FileReading> {
    const file = await openRegularFile(path);
    try {
      const { ino, size, mtimeMs } = await file.stat();
      // A new time with the same size means that the content was rewritten.
      const isRewritten = size === this.#offset && mtimeMs !== this.#modifiedMs;
      const isOther = ino !== this.#inode || size < this.#offset || isRewritten;
      const isNew = isOther || !(await this.#isSame(file));
      if (isNew) this.#begin(ino);
      await this.#readTo(size, file);
      this.#modifiedMs = mtimeMs;
      return this.#take(isNew);
    } finally {
      await file.close();
    }
  }

  #createSession(): JsonlSession {
    return new JsonlSession(({ written, removed }) => {
      for (const id of removed) {
        this.#touched.delete(id);
        this.#removed.add(id);
      }
      for (const { id } of written) {
        this.#touched.add(id);
        this.#removed.delete(id);
      }
    });
  }

  #begin(inode: number): void {
    this.#inode = inode;
    this.#offset = 0;
    this.#seam = Buffer.alloc(0);
    this.#session = this.#createSession();
    this.#reportedProblems = 0;
  }

  async #isSame(file: FileHandle): Promise<boolean> {
    const length = this.#seam.length;
    const { buffer } = await file.read(Buffer.alloc(length), 0, length, this.#offset - length);
    return buffer.equals(this.#seam);
  }

  /** Reads up to the given size and no further, so that a busy writer cannot delay the updates. */
  async #readTo(size: number, file: FileHandle): Promise<void> {
    const buffer = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, Math.max(0, size - this.#offset)));
    while (this.#offset < size) {
      const wanted = Math.min(buffer.length, size - this.#offset);
      const { bytesRead } = await file.read(buffer, 0, wanted, this.#offset);
      if (bytesRead === 0) return;
      const chunk = buffer.subarray(0, bytesRead);
      this.#session.push(chunk);
      this.#offset += bytesRead;
      this.#seam = Buffer.concat([this.#seam, chunk.subarray(-SEAM_BYTES)]).subarray(-SEAM_BYTES);
    }
  }

  #take(isEverything: boolean): FileReading {
    const { fold, diagnostics } = this.#session;
    const written = [...this.#touched].flatMap((id) => fold.messageOf(id) ?? []);
    const reading = {
      written,
      removed: [...this.#removed],
      isEverything,
      header: fold.header,
      problems: diagnostics.slice(this.#reportedProblems),
    };
    this.#touched = new Set();
    this.#removed = new Set();
    this.#reportedProblems = diagnostics.length;
    return reading;
  }
}
