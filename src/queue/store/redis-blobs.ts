import type { Redis } from 'ioredis';
import type { BlobStore, PutOptions } from './blob-store.js';
import type { StoreClock } from './store-clock.js';

/**
 * Blobs as keys of Redis with a time to live. An index per room lists its keys with their ends: a search through all
 * keys of the store would take as long as the store is large. The ends are times of the store: by the clock of another machine,
 * a live worker could be over.
 */
export class RedisBlobs implements BlobStore {
  readonly #redis: Redis;
  readonly #prefix: string;
  readonly #clock: Pick<StoreClock, 'now'>;

  constructor(redis: Redis, name: string, clock: Pick<StoreClock, 'now'>) {
    this.#redis = redis;
    this.#clock = clock;
    this.#prefix = `${name}:blob`;
  }

  async put(
    key: string,
    bytes: Uint8Array,
    ttlMs: number,
    { keepsLonger = false }: PutOptions = {},
  ): Promise<void> {
    const lifeMs = keepsLonger ? await this.#longer(key, ttlMs) : ttlMs;
    const value = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const now = this.#clock.now();
    await this.#all(
      this.#redis
        .multi()
        .set(this.#keyOf(key), value, 'PX', Math.ceil(lifeMs))
        .zremrangebyscore(this.#indexOf(key), '-inf', now)
        .zadd(this.#indexOf(key), now + lifeMs, key),
    );
  }

  async get(key: string): Promise<Buffer | undefined> {
    return (await this.#redis.getBuffer(this.#keyOf(key))) ?? undefined;
  }

  async has(key: string): Promise<boolean> {
    return (await this.#redis.exists(this.#keyOf(key))) === 1;
  }

  async touch(key: string, ttlMs: number): Promise<void> {
    const lifeMs = await this.#longer(key, ttlMs);
    await this.#all(
      this.#redis
        .multi()
        .pexpire(this.#keyOf(key), Math.ceil(lifeMs))
        .zadd(this.#indexOf(key), 'XX', this.#clock.now() + lifeMs, key),
    );
  }

  async delete(key: string): Promise<void> {
    await this.#all(this.#redis.multi().del(this.#keyOf(key)).zrem(this.#indexOf(key), key));
  }

  async list(prefix: string): Promise<string[]> {
    const keys = await this.#redis.zrangebyscore(this.#indexOf(prefix), this.#clock.now(), '+inf');
    return keys.filter((key) => key.startsWith(prefix)).sort();
  }

  /** Returns the time that a blob has left, or the given time if that is longer. */
  async #longer(key: string, ttlMs: number): Promise<number> {
    return Math.max(ttlMs, await this.#redis.pttl(this.#keyOf(key)));
  }

  /** Runs a transaction. Redis reports the errors of its commands one by one. */
  async #all(transaction: ReturnType<Redis['multi']>): Promise<void> {
    for (const [error] of (await transaction.exec()) ?? []) if (error) throw error;
  }

  #keyOf(key: string): string {
    return `${this.#prefix}:${key}`;
  }

  #indexOf(key: string): string {
    return `${this.#prefix}-index:${key.split('/')[0]}`;
  }
}
