import type { BlobStore, PutOptions } from './blob-store.js';

/** The part of a pool that the blobs need. */
export interface SqlPool {
  query(text: string, values?: readonly unknown[]): Promise<{ readonly rows: readonly unknown[] }>;
}

/** Time between two removals of blobs whose time is over. */
const SWEEP_MS = 60_000;

const TABLE = 'gemini_cli_provider.blob';
const CREATE = `
  CREATE SCHEMA IF NOT EXISTS gemini_cli_provider;
  CREATE TABLE IF NOT EXISTS ${TABLE} (
    queue text NOT NULL, key text COLLATE "C" NOT NULL, bytes bytea NOT NULL, ends_at timestamptz NOT NULL,
    PRIMARY KEY (queue, key));
  CREATE INDEX IF NOT EXISTS blob_ends_at ON ${TABLE} (ends_at)`;
/** Number of the lock under which one process creates the table: IF NOT EXISTS alone fails when two run at once. */
const LOCK = 1_734_438_201;

/** Blobs as rows of a table of our own. Rows whose time is over are invisible, and removed about once a minute. */
export class PostgresBlobs implements BlobStore {
  readonly #pool: SqlPool;
  readonly #name: string;
  #sweptAtMs = 0;

  constructor(pool: SqlPool, name: string) {
    this.#pool = pool;
    this.#name = name;
  }

  /** Creates schema and table if they are missing. */
  async create(): Promise<void> {
    const { rows } = await this.#pool.query('SELECT to_regclass($1) IS NOT NULL AS found', [TABLE]);
    if (rows.some((row) => readField(row, 'found') === true)) return;
    await this.#pool.query(`BEGIN; SELECT pg_advisory_xact_lock(${LOCK}); ${CREATE}; COMMIT`);
  }

  async put(
    key: string,
    bytes: Uint8Array,
    ttlMs: number,
    { keepsLonger = false }: PutOptions = {},
  ): Promise<void> {
    const value = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    await this.#query(
      `INSERT INTO ${TABLE} VALUES ($1, $2, $3, now() + $4 * interval '1 ms')
       ON CONFLICT (queue, key) DO UPDATE SET bytes = excluded.bytes,
         ends_at = CASE WHEN $5 THEN greatest(blob.ends_at, excluded.ends_at) ELSE excluded.ends_at END`,
      [key, value, ttlMs, keepsLonger],
    );
    if (Date.now() - this.#sweptAtMs < SWEEP_MS) return;
    this.#sweptAtMs = Date.now();
    await this.#pool.query(`DELETE FROM ${TABLE} WHERE ends_at < now()`);
  }

  async get(key: string): Promise<Buffer | undefined> {
    const where = 'WHERE queue = $1 AND key = $2 AND ends_at > now()';
    const [row] = await this.#query(`SELECT bytes FROM ${TABLE} ${where}`, [key]);
    const bytes = readField(row, 'bytes');
    return Buffer.isBuffer(bytes) ? bytes : undefined;
  }

  async has(key: string): Promise<boolean> {
    const where = 'WHERE queue = $1 AND key = $2 AND ends_at > now()';
    return (await this.#query(`SELECT 1 FROM ${TABLE} ${where}`, [key])).length > 0;
  }

  async touch(key: string, ttlMs: number): Promise<void> {
    await this.#query(
      `UPDATE ${TABLE} SET ends_at = greatest(ends_at, now() + $3 * interval '1 ms')
       WHERE queue = $1 AND key = $2 AND ends_at > now()`,
      [key, ttlMs],
    );
  }

  async delete(key: string): Promise<void> {
    await this.#query(`DELETE FROM ${TABLE} WHERE queue = $1 AND key = $2`, [key]);
  }

  async list(prefix: string): Promise<string[]> {
    const rows = await this.#query(
      `SELECT key FROM ${TABLE}
       WHERE queue = $1 AND key >= $2 AND starts_with(key, $2) AND ends_at > now() ORDER BY key`,
      [prefix],
    );
    return rows.map((row) => String(readField(row, 'key')));
  }

  async #query(text: string, values: readonly unknown[]): Promise<readonly unknown[]> {
    return (await this.#pool.query(text, [this.#name, ...values])).rows;
  }
}

/** Returns a column of a row. */
export function readField(row: unknown, name: string): unknown {
  return typeof row === 'object' && row !== null ? Reflect.get(row, name) : undefined;
}
