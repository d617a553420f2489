import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Redis } from 'ioredis';
import pg from 'pg';
import { expect, onTestFinished, test, vi } from 'vitest';
import { makeFolder } from '../support.js';
import { listStores, type StoreName, shareStore, startStore, type TestServer } from './servers.js';
import { startTcpProxy } from './tcp-proxy.js';

const { stores, missing } = listStores();
const REDIS_BINARY = fileURLToPath(new URL('../../.config/redis-binary.mjs', import.meta.url));

test('both stores are tested, or the missing one is named', ({ skip }) => {
  expect(stores).toContain('postgres');
  if (missing !== undefined) skip(`The Redis half is not run. ${missing}`);
});

test('without Redis, the other half runs and the command that brings Redis is named; with CI set, it is an error', () => {
  // The cache of this repository may have a server: the copy looks for one below its own folder.
  const folder = makeFolder({
    'find.mjs': "(await import('./.config/redis-binary.mjs')).findRedis();",
  });
  mkdirSync(join(folder, '.config'));
  cpSync(REDIS_BINARY, join(folder, '.config', 'redis-binary.mjs'));
  const { status, stderr } = spawnSync(process.execPath, [join(folder, 'find.mjs')], {
    env: { PATH: '' },
    encoding: 'utf8',
  });
  expect(status).toBe(1);
  expect(stderr).toContain('To bring Redis: apt-get install redis-server');
  const find = (): never => {
    throw new Error('no Redis');
  };
  expect(listStores(find, false)).toEqual({ stores: ['postgres'], missing: 'no Redis' });
  expect(() => listStores(find, true)).toThrow('no Redis');
});

async function write(name: StoreName, url: string, value: string): Promise<void> {
  if (name === 'redis') return withRedis(url, async (redis) => void (await redis.set('x', value)));
  await withPostgres(url, async (client) => {
    await client.query('create table if not exists x (value text)');
    await client.query('insert into x values ($1)', [value]);
  });
}

async function read(name: StoreName, url: string): Promise<unknown> {
  if (name === 'redis') return withRedis(url, (redis) => redis.get('x'));
  return withPostgres(url, async (client) => {
    const { rows } = await client.query('select value from x');
    return rows[0]?.value;
  });
}

async function withRedis<T>(url: string, work: (redis: Redis) => Promise<T>): Promise<T> {
  const redis = new Redis(url, { retryStrategy: () => null });
  redis.on('error', () => {});
  return work(redis).finally(() => redis.disconnect());
}

async function withPostgres<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(url);
  client.on('error', () => {});
  await client.connect();
  return work(client).finally(() => client.end());
}

test.each(stores)('%s keeps its data over a crash and a restart', async (name) => {
  const server = await startStore(name);
  onTestFinished(server.stop);
  await write(name, server.url, 'kept');
  // Redis syncs its log once a second.
  await sleep(1_200);
  await server.kill();
  await expect(read(name, server.url)).rejects.toThrow();
  await server.restart();
  expect(await read(name, server.url)).toBe('kept');
  await server.restart();
  expect(await read(name, server.url)).toBe('kept');
});

test.runIf(stores.includes('redis'))('redis ends with the process that started it', async () => {
  const program = fileURLToPath(new URL('../programs/server-user.mjs', import.meta.url));
  const child = spawn(process.execPath, [program], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await once(child.stdout, 'data');
  const url = String(line).trim();
  await write('redis', url, 'there');
  child.kill('SIGKILL');
  await vi.waitFor(() => expect(isListening(url)).resolves.toBe(false), 5_000);
});

async function isListening(url: string): Promise<boolean> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  return new Promise<boolean>((resolve) => {
    socket.once('connect', () => resolve(true));
    socket.once('error', () => resolve(false));
  }).finally(() => socket.destroy());
}

test.each(stores)('%s is shared by the tests of a process', async (name) => {
  const url = await shareStore(name);
  expect(await shareStore(name)).toBe(url);
  await write(name, url, 'shared');
  expect(await read(name, url)).toBe('shared');
});

test('the proxy stalls, delays, drops and cuts', async () => {
  const server: TestServer = await startStore('postgres');
  onTestFinished(server.stop);
  const proxy = await startTcpProxy(server.url);
  onTestFinished(proxy.close);
  await write('postgres', proxy.url, 'through');
  proxy.cut();
  await expect(read('postgres', proxy.url)).rejects.toThrow();
  proxy.heal();
  expect(await read('postgres', proxy.url)).toBe('through');
  proxy.stall();
  const stalled = read('postgres', proxy.url);
  expect(await Promise.race([stalled, sleep(300, 'nothing')])).toBe('nothing');
  proxy.heal();
  expect(await stalled).toBe('through');
  await withPostgres(proxy.url, async (client) => {
    proxy.drop();
    await expect(client.query('select 1')).rejects.toThrow();
  });
  proxy.delay(100);
  const startedAt = performance.now();
  await read('postgres', proxy.url);
  expect(performance.now() - startedAt).toBeGreaterThan(200);
});
