import type { PgModule, PgPool, PgPoolClient, PgPoolConfig, PgQueryResult } from 'bullmq';
import { hasErrno } from '../../base/errors/errno.js';
import { sleep } from '../../base/process/timing.js';
import { keepNotifications } from './keep-notifications.js';
import type { OnConnection } from './queue-store.js';
import { isStoreAway } from './store-error.js';

/** Wait before a query is sent again, at first and at most. */
const [FIRST_WAIT_MS, LONGEST_WAIT_MS] = [50, 1_000];
/** Codes of transactions that PostgreSQL has undone: serialization failure, deadlock. */
const UNDONE = ['40001', '40P01'];
const MOST_ATTEMPTS = 10;
/** Code of a server that has no connection left. */
const NO_CONNECTION_LEFT = '53300';

/** A lost connection is seen by the query that fails. */
const ignoreError = (): void => {};

type PgClient = InstanceType<PgModule['Client']>;

/**
 * Pool of PostgreSQL whose queries wait while the server cannot be reached. BullMQ would give a job up if the server
 * restarted while the result is written: its queries are functions that can be called again.
 */
export class WaitingPool implements PgPool {
  readonly #drivers: PgModule;
  readonly #settings: PgPoolConfig;
  readonly #pool: PgPool;
  readonly #onConnection: OnConnection;
  readonly #clients = new Set<PgClient>();
  #isLost = false;
  #isEnded = false;

  constructor(drivers: PgModule, settings: PgPoolConfig, onConnection: OnConnection) {
    this.#drivers = drivers;
    this.#settings = settings;
    this.#onConnection = onConnection;
    this.#pool = new drivers.Pool(settings);
    this.#pool.on('error', ignoreError);
  }

  /** False while queries wait for the server. */
  get isConnected(): boolean {
    return !this.#isLost && !this.#isEnded;
  }

  /** Sends a query once. Throws if the server cannot be reached. */
  async queryOnce(text: string): Promise<readonly unknown[]> {
    return (await this.#pool.query(text)).rows;
  }

  query<R>(text: string, values?: readonly unknown[]): Promise<PgQueryResult<R>> {
    return this.#untilAnswered(() => this.#untilCommitted(() => this.#pool.query<R>(text, values)));
  }

  /**
   * Opens a connection beside the pool: BullMQ keeps those that listen, and many would use up the pool. Waits while the server has no
   * connection left: a queue of BullMQ whose first connection fails cannot be used again.
   */
  connect(): Promise<PgPoolClient> {
    const mayWait = (error: unknown) => isStoreAway(error) || hasErrno(error, NO_CONNECTION_LEFT);
    return this.#untilAnswered(() => this.connectOnce(), mayWait);
  }

  /** Opens a connection beside the pool. Throws if the server cannot be reached. */
  async connectOnce(): Promise<PgPoolClient> {
    const client = new this.#drivers.Client(this.#settings);
    client.on('error', ignoreError);
    await client.connect();
    this.#clients.add(client);
    const release = (): void => {
      this.#clients.delete(client);
      void client.end().catch(() => {});
    };
    // BullMQ removes all listeners of a connection that it gives up. Without a listener, the end of that connection
    // would end the whole process.
    const removeListeners = client.removeAllListeners.bind(client);
    const removeAllListeners = (event?: string) => {
      removeListeners(event);
      return client.on('error', ignoreError);
    };
    return keepNotifications(Object.assign(client, { release, removeAllListeners }));
  }

  async end(): Promise<void> {
    if (this.#isEnded) return;
    this.#isEnded = true;
    for (const client of this.#clients) void client.end().catch(() => {});
    await this.#pool.end();
  }

  on(): this {
    return this;
  }

  removeAllListeners(): this {
    return this;
  }

  /**
   * Sends a query again that PostgreSQL has undone because of another transaction. BullMQ would fail a job for good if its end met
   * the removal of old jobs by another worker.
   */
  async #untilCommitted<T>(ask: () => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await ask();
      } catch (error) {
        if (attempt === MOST_ATTEMPTS || !hasErrno(error, ...UNDONE)) throw error;
      }
      await sleep(Math.random() * attempt * FIRST_WAIT_MS);
    }
  }

  async #untilAnswered<T>(ask: () => Promise<T>, mayWait = isStoreAway): Promise<T> {
    for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS)) {
      try {
        const answer = await ask();
        this.#report(true, 'The store answers again');
        return answer;
      } catch (error) {
        if (this.#isEnded || !mayWait(error)) throw error;
        this.#report(false, error instanceof Error ? error.message : String(error));
      }
      await sleep(waitMs);
    }
  }

  #report(isConnected: boolean, message: string): void {
    if (this.#isLost === !isConnected || this.#isEnded) return;
    this.#isLost = !isConnected;
    this.#onConnection(isConnected, message);
  }
}
