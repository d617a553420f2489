import { createPostgresBackend, Queue, Worker, withBackend } from 'bullmq';
import type { StepProcessor } from 'gemini-cli-provider/queue';
import { Redis } from 'ioredis';
import { onTestFinished } from 'vitest';

const postgres = withBackend(createPostgresBackend);

function isRedis(url: string): boolean {
  return url.startsWith('redis');
}

function connectRedis(url: string): Redis {
  const redis = new Redis(url, { maxRetriesPerRequest: null });
  onTestFinished(() => redis.disconnect());
  return redis;
}

/** Opens a queue of BullMQ itself, as another program would. */
export function openBullQueue(url: string, name: string): Pick<Queue, 'add' | 'getJob'> {
  const queue = isRedis(url)
    ? new Queue(name, { connection: connectRedis(url) })
    : new postgres.Queue(name, { connection: { connectionString: url } });
  onTestFinished(() => queue.close());
  return queue;
}

/** Starts a worker of BullMQ itself. */
export function openBullWorker(url: string, name: string, processor: StepProcessor): void {
  const worker = isRedis(url)
    ? new Worker(name, processor, { connection: connectRedis(url) })
    : new postgres.Worker(name, processor, { connection: { connectionString: url } });
  onTestFinished(() => worker.close());
}
