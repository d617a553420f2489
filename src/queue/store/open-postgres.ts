import type { PgPool } from 'bullmq';
import { callOnAbort } from '../../base/process/abort-listeners.js';
import { loadBullmq, loadPg } from './load-driver.js';
import { PostgresBlobs, readField } from './postgres-blobs.js';
import type { DriverRequest, StoreDriver } from './queue-store.js';
import { StoreClock } from './store-clock.js';
import { toStoreError } from './store-error.js';
import { WaitingPool } from './waiting-pool.js';
import { wrapEvents, wrapWorker } from './wrap-bull.js';

const CONNECT_TIMEOUT_MS = 5_000;
/** A query that takes longer counts as a lost connection. */
const QUERY_TIMEOUT_MS = 30_000;
/** Events are read at the latest after this time, should a notification be missed. BullMQ's default is 10 s. */
const BLOCKING_TIMEOUT_MS = 2_000;
/** Connections for queries. Those that listen are beside them. */
const MOST_CONNECTIONS = 8;

/** Opens BullMQ on PostgreSQL. A process that finds no schema, or an older one, creates it. Throws a `ProviderError`. */
export async function openPostgres(request: DriverRequest): Promise<StoreDriver> {
  const { address, name, onConnection, signal } = request;
  const [bullmq, drivers] = await Promise.all([loadBullmq('pg'), loadPg()]);
  const settings = {
    connectionString: address.url,
    max: MOST_CONNECTIONS,
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: QUERY_TIMEOUT_MS,
    options: `-c search_path=${bullmq.quoteSchemaName(bullmq.DEFAULT_SCHEMA)}`,
  };
  const pool = new WaitingPool(drivers, settings, (isConnected, message) => {
    onConnection(isConnected, address.redactor.text(message));
  });
  const blobs = new PostgresBlobs(pool, name);
  const clock = new StoreClock(async () => {
    const [row] = await pool.queryOnce('SELECT extract(epoch FROM clock_timestamp()) * 1000 AS ms');
    return Number(readField(row, 'ms'));
  });
  const stopListening = callOnAbort(signal, () => void pool.end());
  try {
    await clock.compare();
    const client = await pool.connectOnce();
    try {
      await prepareSchema(bullmq, client);
    } finally {
      client.release();
    }
    await blobs.create();
  } catch (error) {
    await pool.end();
    throw toStoreError(error, address);
  } finally {
    stopListening();
  }
  const classes = bullmq.withBackend(bullmq.createPostgresBackend);
  const connection: PgPool = pool;
  const ignore = (): void => {};
  return {
    blobs,
    clock,
    notes: [],
    createQueue: (queueName) => {
      return new classes.Queue(queueName, { connection }).setMaxListeners(0).on('error', ignore);
    },
    createEvents: (queueName) => {
      const options = { connection, blockingTimeout: BLOCKING_TIMEOUT_MS };
      const events = new classes.QueueEvents(queueName, options);
      return wrapEvents(events);
    },
    createProducer: (queueName) => {
      const producer = new classes.QueueEventsProducer(queueName, { connection });
      producer.on('error', ignore);
      return {
        publish: (eventName, fields) => producer.publishEvent({ eventName, ...fields }),
        close: () => producer.close(),
      };
    },
    createWorker: (queueName, processor, workerSettings) => {
      const worker = new classes.Worker(queueName, processor, { ...workerSettings, connection });
      return wrapWorker(worker);
    },
    get isConnected() {
      return pool.isConnected;
    },
    waitUntilAnswers: async () => {
      await pool.query('SELECT 1');
    },
    close: () => pool.end(),
  };
}

/**
 * Creates or raises the schema, if that is needed. `runMigrations` changes the table of the schema each time, which only its
 * owner may do: users that run steps need no such right.
 */
async function prepareSchema(
  bullmq: Awaited<ReturnType<typeof loadBullmq>>,
  client: Parameters<typeof bullmq.runMigrations>[0],
): Promise<void> {
  try {
    const version = await bullmq.assertSchemaCompatibility(client);
    if (version >= bullmq.LATEST_SCHEMA_VERSION) return;
  } catch (error) {
    if (!(error instanceof bullmq.SchemaMigrationRequiredError)) throw error;
  }
  await bullmq.runMigrations(client);
}
