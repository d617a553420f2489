import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { findRedis } from '../../.config/redis-binary.mjs';

const HOST = fileURLToPath(new URL('../programs/server-host.mjs', import.meta.url));
const START_MS = 20_000;

/**
 * A server that a test may end and start again.
 * @typedef {object} TestServer
 * @property {string} url
 * @property {() => Promise<void>} stop ends the server for good and removes its data
 * @property {() => Promise<void>} kill ends the server by SIGKILL, as a crash does
 * @property {() => Promise<void>} restart starts the server again on the same port with the same data. A running server is ended in order first.
 */

/** Returns a free port on loopback. */
export async function findFreePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  if (address === null || typeof address === 'string') throw new Error('No port');
  return address.port;
}

/**
 * Starts redis-server on loopback with a log of all writes, as the queue needs it.
 * @param {readonly string[]} [settings] further arguments of redis-server
 * @returns {Promise<TestServer>}
 */
export async function startRedisServer(settings = []) {
  const { command, env } = findRedis();
  const port = await findFreePort();
  const folder = join(tmpdir(), `queue-redis-${process.pid}-${port}`);
  mkdirSync(folder);
  const options = {
    bind: '127.0.0.1',
    port: String(port),
    dir: folder,
    save: '',
    appendonly: 'yes',
    'maxmemory-policy': 'noeviction',
  };
  const args = [...Object.entries(options).flatMap(([k, v]) => [`--${k}`, v]), ...settings];
  const start = async () => {
    const host = spawn(process.execPath, [HOST, folder, command, ...args], {
      stdio: ['pipe', 'pipe', 'inherit'],
      env: { ...process.env, ...env },
    });
    host.stdin.on('error', () => {});
    const ended = once(host, 'exit');
    const [line] = await Promise.race([once(host.stdout, 'data'), ended]);
    await waitUntilReady(port);
    for (const it of [host, host.stdin, host.stdout])
      if ('unref' in it) /** @type {{ unref(): void }} */ (it).unref();
    return { pid: Number(line), ended };
  };
  /** @type {{ pid: number, ended: Promise<unknown> } | undefined} */
  let server = await start();
  /** @param {'SIGTERM' | 'SIGKILL'} signal */
  const end = async (signal) => {
    const ending = server;
    server = undefined;
    if (ending === undefined) return;
    process.kill(ending.pid, signal);
    await ending.ended;
  };
  return {
    url: `redis://127.0.0.1:${port}`,
    stop: async () => {
      await end('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    },
    kill: () => end('SIGKILL'),
    restart: async () => {
      await end('SIGTERM');
      server = await start();
    },
  };
}

/**
 * Waits until the server answers: it refuses connections first, and loads its data then.
 * @param {number} port
 */
async function waitUntilReady(port) {
  const deadline = Date.now() + START_MS;
  while (Date.now() < deadline) {
    const socket = connect(port, '127.0.0.1');
    const answer = await new Promise((resolve) => {
      socket.once('connect', () => socket.write('PING\r\n'));
      socket.once('data', (data) => resolve(String(data)));
      socket.once('error', () => resolve(''));
      socket.once('close', () => resolve(''));
    });
    socket.destroy();
    if (/PONG|NOAUTH/.test(answer)) return;
    await sleep(20);
  }
  throw new Error(`redis-server did not answer on port ${port}`);
}
