/**
 * Bytes by key in the store of the queue, each with a time to live. Large prompts and results, git objects and the
 * heartbeats of workers lie there. Keys are paths as `worker/7f3a`: the part before the first slash is the room.
 */
export interface BlobStore {
  /** Writes the bytes. A blob with the same key is replaced. */
  put(key: string, bytes: Uint8Array, ttlMs: number, options?: PutOptions): Promise<void>;
  /** Returns the bytes. Undefined if there is no such blob, or its time is over. */
  get(key: string): Promise<Buffer | undefined>;
  /** True if there is such a blob. */
  has(key: string): Promise<boolean>;
  /** Gives the blob at least this time to live, from now on. Does nothing if there is no such blob. */
  touch(key: string, ttlMs: number): Promise<void>;
  /** Removes the blob, if there is one. */
  delete(key: string): Promise<void>;
  /** Lists the keys that begin with the prefix, in order. The prefix names at least the room: `worker/`. */
  list(prefix: string): Promise<string[]>;
}

/** How a blob is written. */
export interface PutOptions {
  /** Leave the blob the longer time to live that another writer of the same bytes has given it. */
  readonly keepsLonger?: boolean | undefined;
}
