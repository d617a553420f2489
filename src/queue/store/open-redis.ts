import type { Redis } from 'ioredis';
import { callOnAbort } from '../../base/process/abort-listeners.js';
import { loadBullmq, loadIoredis } from './load-driver.js';
import { type DriverRequest, MOST_EVENTS, type StoreDriver } from './queue-store.js';
import { RedisBlobs } from './redis-blobs.js';
import { StoreClock } from './store-clock.js';
import { toStoreError } from './store-error.js';
import type { StoreAddress } from './store-url.js';
import { wrapEvents, wrapWorker } from './wrap-bull.js';

const CONNECT_TIMEOUT_MS = 5_000;
/** A command without an answer for longer is a lost connection. BullMQ blocks for 10 s at most. */
const SOCKET_TIMEOUT_MS = 15_000;
const KEEP_ALIVE_MS = 10_000;
const LONGEST_WAIT_MS = 1_000;

/** Opens BullMQ on Redis. Throws a `ProviderError`. */
export async function openRedis(request: DriverRequest): Promise<StoreDriver> {
  const { address, name, onConnection, signal } = request;
  const [bullmq, ioredis] = await Promise.all([loadBullmq('ioredis'), loadIoredis()]);
  let isClosed = false;
  const redis = createClient(ioredis, address, () => isClosed);
  redis.setMaxListeners(0);
  let notes: readonly string[];
  const clock = new StoreClock(async () => {
    const [seconds, microseconds] = await redis.time();
    return Number(seconds) * 1_000 + Number(microseconds) / 1_000;
  });
  const stopListening = callOnAbort(signal, () => redis.disconnect());
  try {
    await connect(redis);
    // BullMQ copies this connection. A copy that BullMQ itself connects is given up for ever when its first try fails.
    redis.options.lazyConnect = false;
    await clock.compare();
    notes = findRisks(await redis.info());
  } catch (error) {
    redis.disconnect();
    throw toStoreError(error, address);
  } finally {
    stopListening();
  }
  watchConnection(redis, (isConnected, message) => {
    onConnection(isConnected, address.redactor.text(message));
  });
  const connection = redis;
  const ignore = (): void => {};
  return {
    blobs: new RedisBlobs(redis, name, clock),
    clock,
    notes,
    createQueue: (queueName) => {
      const streams = { events: { maxLen: MOST_EVENTS } };
      const queue = new bullmq.Queue(queueName, { connection, streams });
      return queue.setMaxListeners(0).on('error', ignore);
    },
    createEvents: (queueName) => {
      return wrapEvents(new bullmq.QueueEvents(queueName, { connection }));
    },
    createProducer: (queueName) => {
      const producer = new bullmq.QueueEventsProducer(queueName, { connection });
      producer.on('error', ignore);
      return {
        publish: (eventName, fields) =>
          producer.publishEvent({ eventName, ...fields }, MOST_EVENTS),
        close: () => producer.close(),
      };
    },
    createWorker: (queueName, processor, settings) => {
      return wrapWorker(new bullmq.Worker(queueName, processor, { ...settings, connection }));
    },
    get isConnected() {
      return redis.status === 'ready';
    },
    waitUntilAnswers: async () => {
      await redis.ping();
    },
    close: async () => {
      isClosed = true;
      redis.disconnect();
    },
  };
}

function createClient(
  { Redis: Client }: Awaited<ReturnType<typeof loadIoredis>>,
  address: StoreAddress,
  isClosed: () => boolean,
): Redis {
  try {
    return new Client(address.url, {
      lazyConnect: true,
      // Commands wait while the server restarts.
      maxRetriesPerRequest: null,
      // BullMQ copies this connection: a copy that waits for a store that is gone must not outlive it.
      retryStrategy: (times) => (isClosed() ? null : Math.min(times * 50, LONGEST_WAIT_MS)),
      connectTimeout: CONNECT_TIMEOUT_MS,
      socketTimeout: SOCKET_TIMEOUT_MS,
      keepAlive: KEEP_ALIVE_MS,
    });
  } catch (error) {
    throw toStoreError(error, address);
  }
}

/** Connects once: the first error counts, while the driver itself would try again for ever. */
function connect(redis: Redis): Promise<void> {
  return new Promise((resolve, reject) => {
    redis.once('error', reject);
    redis.once('ready', () => {
      redis.off('error', reject);
      resolve();
    });
    redis.connect().catch(reject);
  });
}

function watchConnection(redis: Redis, report: DriverRequest['onConnection']): void {
  let isLost = false;
  const lose = (message: string): void => {
    if (isLost || redis.status === 'end') return;
    isLost = true;
    report(false, message);
  };
  redis.on('error', (error: Error) => lose(error.message));
  redis.on('close', () => lose('The connection was closed'));
  redis.on('ready', () => {
    if (isLost) report(true, 'The store answers again');
    isLost = false;
  });
}

/** Finds settings of the server with which jobs may be lost. Exported for its test. */
export function findRisks(info: string): string[] {
  const values = new Map(info.split(/\r?\n/).map((line) => splitAt(line, line.indexOf(':'))));
  const policy = values.get('maxmemory_policy') ?? 'noeviction';
  const risks: string[] = [];
  if (policy !== 'noeviction')
    risks.push(
      `Redis may remove jobs when its memory is full (maxmemory-policy ${policy}): set noeviction`,
    );
  if (values.get('aof_enabled') === '0')
    risks.push('Redis loses the latest jobs when it restarts (appendonly no): set appendonly yes');
  return risks;
}

function splitAt(line: string, at: number): [string, string] {
  return at < 0 ? [line, ''] : [line.slice(0, at), line.slice(at + 1)];
}
