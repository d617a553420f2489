import { mkdtempSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findRedis } from '../../.config/redis-binary.mjs';
import { startEmbeddedPostgres } from '../../src/queue/embedded/start-embedded-postgres.js';
import { startRedisServer, type TestServer } from './redis-server.mjs';

export type { TestServer } from './redis-server.mjs';
export type StoreName = 'postgres' | 'redis';

/** Starts a PostgreSQL server of its own, for tests that end it. Other tests share one: `shareStore`. */
export async function startPostgres(): Promise<TestServer> {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), 'queue-postgres-')));
  let { url, pid, close } = await startEmbeddedPostgres({ directory, temporary: true });
  const end = async (signal: 'SIGINT' | 'SIGKILL'): Promise<void> => {
    if (!isAlive(pid)) return;
    process.kill(pid, signal);
    while (isAlive(pid)) await sleep(20);
  };
  return {
    url,
    stop: async () => {
      await end('SIGINT');
      // The host program removes the data when this process no longer uses the server.
      close();
    },
    kill: () => end('SIGKILL'),
    restart: async () => {
      await end('SIGINT');
      const closeFirst = close;
      ({ pid, close } = await startEmbeddedPostgres({ directory, temporary: true }));
      closeFirst();
    },
  };
}

/** Starts a Redis server of its own. `settings` are further arguments of redis-server. */
export function startRedis(settings?: readonly string[]): Promise<TestServer> {
  return startRedisServer(settings);
}

export function startStore(name: StoreName): Promise<TestServer> {
  return name === 'redis' ? startRedis() : startPostgres();
}

const shared = new Map<StoreName, Promise<string>>();

/**
 * Returns the URL of a server that all tests share, so that each test needs a queue name of its own. All test processes of one
 * start of vitest use the same PostgreSQL, which takes seconds to set up; each has its own Redis. Tests must not end them.
 */
export function shareStore(name: StoreName): Promise<string> {
  const found = shared.get(name) ?? startShared(name);
  shared.set(name, found);
  return found;
}

async function startShared(name: StoreName): Promise<string> {
  if (name === 'redis') {
    const { url } = await startRedis();
    return url;
  }
  // The parent of all test processes is vitest.
  const directory = join(realpathSync(tmpdir()), `queue-postgres-of-${process.ppid}`);
  const { url } = await startEmbeddedPostgres({ directory, temporary: true });
  return url;
}

/** Stores that can be started here, and why Redis cannot. With CI set, a missing Redis is an error. */
export function listStores(
  find: () => unknown = findRedis,
  isCi = process.env['CI'] !== undefined,
): { stores: StoreName[]; missing?: string } {
  try {
    find();
    return { stores: ['postgres', 'redis'] };
  } catch (error) {
    if (isCi) throw error;
    return {
      stores: ['postgres'],
      missing: error instanceof Error ? error.message : String(error),
    };
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
