import type { Logger } from '../../api/logger.js';
import { messageOf } from '../../base/errors/message-of.js';
import { readEnvironment } from '../../base/process/environment.js';
import { settlesWithin } from '../../base/process/timing.js';
import { startEmbeddedPostgres } from '../embedded/start-embedded-postgres.js';
import { queueNameOf, REQUIREMENT_ROOM } from '../protocol/labels.js';
import { findLimit, findPause } from '../protocol/queue-controls.js';
import type { BlobStore } from './blob-store.js';
import { openPostgres } from './open-postgres.js';
import { openRedis } from './open-redis.js';
import type {
  BullEvents,
  BullProducer,
  BullQueue,
  OnConnection,
  StoreDriver,
} from './queue-store.js';
import { toStoreError } from './store-error.js';
import { EMBEDDED, parseStoreUrl, type StoreAddress } from './store-url.js';
import { waitForStore } from './wait-for-store.js';

/** Time that the store remembers a requirement of labels after its last use. */
const REQUIREMENT_TTL_MS = 7 * 24 * 60 * 60 * 1_000;

/** Longest wait for the store when the connection to it is closed, and if the connection is lost already. */
const [CLOSE_MS, LOST_CLOSE_MS] = [2_000, 200];

export interface StoreSettings {
  readonly url: string;
  readonly name: string;
  readonly logger: Logger;
  /** Longest wait for a store that cannot be reached. */
  readonly connectMs: number;
}

/** An open store: BullMQ's objects by the labels that steps ask for, each made once, and the blobs. */
export class OpenStore {
  readonly address: StoreAddress;
  readonly name: string;
  readonly driver: StoreDriver;
  readonly #queues = new Map<string, BullQueue>();
  readonly #events = new Map<string, BullEvents>();
  readonly #producers = new Map<string, BullProducer>();
  readonly #registered = new Set<string>();
  readonly #onClosed: () => void;
  #closing: Promise<void> | undefined;

  constructor(address: StoreAddress, name: string, driver: StoreDriver, onClosed: () => void) {
    this.#onClosed = onClosed;
    this.address = address;
    this.name = name;
    this.driver = driver;
  }

  get blobs(): BlobStore {
    return this.driver.blobs;
  }

  /** Returns the time of the store, on which all machines agree. */
  nowMs(): number {
    return this.driver.clock.now();
  }

  /** Remarks for users: settings that may lose jobs, clocks that differ. */
  get notes(): readonly string[] {
    const clock = this.driver.clock.describe();
    return [...this.driver.notes, ...(clock === undefined ? [] : [clock])];
  }

  /** Returns the queue with this name in the store. */
  queue(name: string): BullQueue {
    return getOrMake(this.#queues, name, () => this.driver.createQueue(name));
  }

  events(name: string): BullEvents {
    return getOrMake(this.#events, name, () => this.driver.createEvents(name));
  }

  producer(name: string): BullProducer {
    return getOrMake(this.#producers, name, () => this.driver.createProducer(name));
  }

  /** Makes a requirement of labels known to all workers, and returns the name of its queue. */
  async register(labels: readonly string[]): Promise<string> {
    const queueName = queueNameOf(this.name, labels);
    if (labels.length > 0 && !this.#registered.has(queueName)) {
      const content = Buffer.from(JSON.stringify(labels));
      await this.blobs.put(`${REQUIREMENT_ROOM}/${labels.join('+')}`, content, REQUIREMENT_TTL_MS);
      await this.#control(this.queue(queueName));
      this.#registered.add(queueName);
    }
    return queueName;
  }

  /** Hands a pause and a limit of the whole queue to a queue that may be new. The workers divide the limit again soon. */
  async #control(queue: BullQueue): Promise<void> {
    const pause = await findPause(this.blobs);
    const leftMs = pause === undefined ? 0 : Date.parse(pause.until) - this.nowMs();
    if (leftMs > 0) await queue.rateLimit(Math.ceil(leftMs));
    if ((await findLimit(this.blobs)) === undefined) return;
    if ((await queue.getGlobalConcurrency()) === null) await queue.setGlobalConcurrency(1);
  }

  /** Lists the requirements that steps had lately. The first is the one without labels. */
  async requirements(): Promise<string[][]> {
    const keys = await this.blobs.list(`${REQUIREMENT_ROOM}/`);
    return [[], ...keys.map((key) => key.slice(REQUIREMENT_ROOM.length + 1).split('+'))];
  }

  /** Runs a request. Errors of the driver become a `ProviderError` that names the store. */
  async ask<T>(request: () => Promise<T>): Promise<T> {
    try {
      return await request();
    } catch (error) {
      throw toStoreError(error, this.address);
    }
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    const open = [...this.#events.values(), ...this.#producers.values(), ...this.#queues.values()];
    // A store that is gone does not answer: the connections are closed all the same.
    const limitMs = this.driver.isConnected ? CLOSE_MS : LOST_CLOSE_MS;
    await settlesWithin(Promise.allSettled(open.map((it) => it.close())), limitMs);
    await settlesWithin(this.driver.close(), limitMs);
    this.#onClosed();
  }
}

/** Opens a store. Throws a `ProviderError` if it cannot be used, or not be reached in time. The signal ends the wait. */
export async function openStore(
  { url, name, logger, connectMs }: StoreSettings,
  onConnection: OnConnection = () => {},
  signal: AbortSignal = new AbortController().signal,
): Promise<OpenStore> {
  const embedded = url === EMBEDDED ? await startEmbeddedPostgres() : undefined;
  const address = parseStoreUrl(embedded?.url ?? url, readEnvironment());
  const open = address.kind === 'redis' ? openRedis : openPostgres;
  const report: OnConnection = (isConnected, message) => {
    const fields = { store: address.shown };
    if (isConnected) logger.info(fields, message);
    else logger.warn(fields, `There is no connection to the store: ${message}`);
    try {
      onConnection(isConnected, message);
    } catch (error) {
      logger.error({ ...fields, error: messageOf(error) }, 'onConnection has thrown an error');
    }
  };
  const openDriver = async (): Promise<StoreDriver> => {
    const driver = await open({ address, name, onConnection: report, signal });
    // A store that answers after the wait was ended must not keep the process alive.
    if (signal.aborted) await driver.close();
    return driver;
  };
  const wait = { limitMs: connectMs, signal, onConnection: report };
  const driver = await waitForStore(openDriver, wait).catch((error: unknown) => {
    embedded?.close();
    throw error;
  });
  return new OpenStore(address, name, driver, () => embedded?.close());
}

function getOrMake<T>(map: Map<string, T>, key: string, make: () => T): T {
  const found = map.get(key) ?? make();
  map.set(key, found);
  return found;
}
