import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { expect, onTestFinished, test, vi } from 'vitest';
import { isProcessAlive } from '../../../src/base/process/process-table.js';
import { readIdentity } from '../../../src/queue/embedded/embedded-identity.js';
import { hostPostgres } from '../../../src/queue/embedded/postgres-host.js';
import { startEmbeddedPostgres } from '../../../src/queue/embedded/start-embedded-postgres.js';

async function makeDirectory(): Promise<string> {
  const directory = await realpath(await mkdtemp(join(tmpdir(), 'embedded-')));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  // Root gives the folder to no other user: the server has to enter it all the same.
  chmodSync(directory, 0o711);
  return directory;
}

async function ask(url: string, query: string): Promise<unknown> {
  const client = new pg.Client(url);
  client.on('error', () => {});
  await client.connect();
  const { rows } = await client.query(query).finally(() => client.end());
  return rows[0];
}

test('two users share one server, which ends after the last of them and leaves nothing', async () => {
  const directory = await makeDirectory();
  // The same host runs as a program of its own elsewhere.
  const hosting = hostPostgres(directory, true);
  const [one, two] = await Promise.all([
    startEmbeddedPostgres({ directory, temporary: true }),
    startEmbeddedPostgres({ directory, temporary: true }),
  ]);
  expect(two).toMatchObject({ url: one.url, pid: one.pid });
  expect(new URL(one.url).hostname).toBe('127.0.0.1');
  expect(await ask(one.url, 'select 1 as value')).toEqual({ value: 1 });
  await expect(ask(one.url.replace(/:[^:@]+@/, ':wrong@'), 'select 1')).rejects.toThrow(/password/);
  one.close();
  expect(await ask(two.url, 'select 1 as value')).toEqual({ value: 1 });
  two.close();
  await hosting;
  expect(isProcessAlive(one.pid)).toBe(false);
  expect(existsSync(directory)).toBe(false);
});

test('data stay, a server whose host was killed is replaced, and its port stays the same', async () => {
  const directory = await makeDirectory();
  const first = await startEmbeddedPostgres({ directory });
  await ask(first.url, 'create table kept as select 7 as value');
  const host = findHost(directory);
  process.kill(host, 'SIGKILL');
  await vi.waitFor(() => expect(isProcessAlive(host)).toBe(false));
  expect(isProcessAlive(first.pid)).toBe(true);

  const hosting = hostPostgres(directory, false);
  const second = await startEmbeddedPostgres({ directory });
  expect(second.pid).not.toBe(first.pid);
  expect(isProcessAlive(first.pid)).toBe(false);
  expect(await ask(second.url, 'select value from kept')).toEqual({ value: 7 });

  process.kill(second.pid, 'SIGKILL');
  await vi.waitFor(() => expect(isProcessAlive(second.pid)).toBe(false));
  const third = await startEmbeddedPostgres({ directory });
  expect(third.url).toBe(second.url);
  expect(await ask(third.url, 'select value from kept')).toEqual({ value: 7 });
  second.close();
  third.close();
  await hosting;
});

/** Returns the pid of the parent of the server. */
function findHost(directory: string): number {
  const [server = ''] = readFileSync(join(directory, 'data/postmaster.pid'), 'utf8').split('\n');
  const [, parent] = /^PPid:\s*(\d+)/m.exec(readFileSync(`/proc/${server}/status`, 'utf8')) ?? [];
  return Number(parent);
}

test('another program on the port of the host is left alone', async () => {
  const directory = await makeDirectory();
  const { hostPort } = await readIdentity(directory);
  const stranger = createServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n'));
  stranger.listen(hostPort, '127.0.0.1');
  onTestFinished(() => void stranger.close());
  const { url, close } = await startEmbeddedPostgres({ directory, temporary: true });
  expect(await ask(url, 'select 1 as value')).toEqual({ value: 1 });
  expect((await readIdentity(directory)).hostPort).not.toBe(hostPort);
  close();
  await vi.waitFor(() => expect(existsSync(directory)).toBe(false), 10_000);
});

test('damaged data are an error that names the folder and what PostgreSQL says', async () => {
  const directory = await makeDirectory();
  const data = join(directory, 'data');
  mkdirSync(data);
  writeFileSync(join(data, 'PG_VERSION'), '9\n');
  await expect(startEmbeddedPostgres({ directory, temporary: true })).rejects.toMatchObject({
    code: 'INVALID_CONFIG',
    message: expect.stringMatching(`${directory} cannot be used: PostgreSQL did not start: .`),
  });
});

test('a folder that others can write to is refused', async () => {
  const directory = await makeDirectory();
  chmodSync(directory, 0o777);
  await expect(startEmbeddedPostgres({ directory })).rejects.toMatchObject({
    code: 'INVALID_CONFIG',
    message: expect.stringContaining('is writable by other users'),
  });
});

test.each([
  [null, 'options'],
  [{ directory: 'relative' }, 'options.directory'],
  [{ temporary: 1 }, 'options.temporary'],
])('%j is refused', async (options, name) => {
  // @ts-expect-error: wrong on purpose.
  await expect(startEmbeddedPostgres(options)).rejects.toMatchObject({
    code: 'INVALID_INPUT',
    message: expect.stringContaining(name),
  });
});
