import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from 'gemini-cli-provider/queue';
import { startRedisServer } from '../queue/redis-server.mjs';

const WORKER = join(import.meta.dirname, '..', 'programs', 'queue-worker.mjs');

/**
 * A store of a bench.
 * @typedef {object} BenchStore
 * @property {string} name
 * @property {string} url
 * @property {() => Promise<void>} stop
 */

/** Starts both stores. */
export async function startBenchStores() {
  const directory = await mkdtemp(join(tmpdir(), 'bench-postgres-'));
  const postgres = await startEmbeddedPostgres({ directory, temporary: true });
  const redis = await startRedisServer();
  /** @type {BenchStore[]} */
  const stores = [
    { name: 'Redis', url: redis.url, stop: redis.stop },
    { name: 'PostgreSQL', url: postgres.url, stop: async () => postgres.close() },
  ];
  return stores;
}

/**
 * Starts worker processes on a queue of their own.
 * @param {BenchStore} store
 * @param {number} count
 * @param {{ concurrency?: number, gemini?: object }} [options]
 */
export async function startBenchWorkers({ url }, count, { concurrency = 4, gemini } = {}) {
  const name = `bench-${randomUUID()}`;
  const folder = await mkdtemp(join(tmpdir(), 'bench-worker-'));
  const workers = await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const cacheDir = join(folder, String(index));
      const options = { queue: url, name, concurrency, gemini, cacheDir, workerName: `w${index}` };
      const worker = spawn(process.execPath, [WORKER, JSON.stringify(options)], {
        stdio: ['pipe', 'pipe', 'inherit'],
      });
      // The first line of the output says that the worker is ready.
      await Promise.race([once(worker.stdout, 'data'), once(worker, 'exit')]);
      if (worker.exitCode !== null) throw new Error('A worker did not start');
      worker.stdout.resume();
      return worker;
    }),
  );
  return {
    /** Options of a provider that reaches these workers. */
    queue: { queue: url, name },
    close: async () => {
      const exits = workers.map((worker) => once(worker, 'exit'));
      for (const worker of workers) worker.kill('SIGTERM');
      await Promise.all(exits);
      await rm(folder, { recursive: true, force: true });
    },
  };
}
