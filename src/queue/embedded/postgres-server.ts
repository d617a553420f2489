import { chown, mkdir, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import {
  type ProgramIdentity,
  type ServerProcess,
  spawnServer,
} from '../../base/process/spawn-server.js';
import { chooseDatabaseUser } from './database-user.js';
import { findPostgresPrograms, type PostgresPrograms } from './postgres-programs.js';

export const DATABASE_USER = 'gemini';
const READY = 'database system is ready to accept connections';
const STDERR_TAIL = 2_000;
const SETTINGS = {
  listen_addresses: '127.0.0.1',
  // Connections by TCP only: the path of a socket could be too long.
  unix_socket_directories: '',
  // Each worker and each caller has a pool of connections.
  max_connections: '200',
  shared_buffers: '32MB',
  jit: 'off',
};

export interface PostgresServer {
  readonly port: number;
  readonly pid: number | undefined;
  readonly exited: Promise<unknown>;
  /** Ends all connections and the server. */
  stop(): Promise<void>;
}

/** Starts PostgreSQL on loopback with the data in a folder, which is set up first if it is new. */
export async function startPostgresServer(
  folder: string,
  password: string,
  wantedPort: number | undefined,
): Promise<PostgresServer> {
  const identity = await chooseDatabaseUser();
  const programs = await findPostgresPrograms(folder, identity.uid !== undefined);
  const data = join(folder, 'data');
  const isSetUp = await stat(join(data, 'PG_VERSION')).catch(() => undefined);
  if (isSetUp === undefined) await setUpData(programs, identity, data, password);
  const port = await findFreePort(wantedPort);
  const settings = Object.entries(SETTINGS).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const { command, args } = { command: programs.postgres, args: ['-D', data, '-p', String(port)] };
  let output = '';
  let onReady = (): void => {};
  const ready = new Promise<boolean>((resolve) => {
    onReady = () => resolve(true);
  });
  const server = spawnServer({
    command,
    args: [...args, ...settings],
    env: programs.env,
    identity,
    onStderr: (text) => {
      output = `${output}${text}`.slice(-STDERR_TAIL);
      if (output.includes(READY)) onReady();
    },
  });
  const isUp = await Promise.race([ready, server.exited.then(() => false)]);
  if (!isUp) throw new Error(`PostgreSQL did not start: ${output.trim()}`);
  return { port, pid: server.pid, exited: server.exited, stop: () => stopServer(server) };
}

async function stopServer(server: ServerProcess): Promise<void> {
  // SIGINT ends the connections, where SIGTERM would wait for their clients.
  server.signal('SIGINT');
  await server.exited;
}

async function setUpData(
  { initdb, env }: PostgresPrograms,
  identity: ProgramIdentity,
  data: string,
  password: string,
): Promise<void> {
  // An earlier set-up may have been killed in the middle.
  await rm(data, { recursive: true, force: true });
  await mkdir(data, { mode: 0o700 });
  const passwordFile = `${data}-password`;
  await writeFile(passwordFile, `${password}\n`, { mode: 0o600 });
  if (identity.uid !== undefined && identity.gid !== undefined)
    for (const path of [data, passwordFile]) await chown(path, identity.uid, identity.gid);
  let output = '';
  const { exited } = spawnServer({
    command: initdb,
    args: [
      `--pgdata=${data}`,
      `--username=${DATABASE_USER}`,
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      // The server is ready when it says so in English.
      '--locale=C',
    ],
    env,
    identity,
    onStderr: (text) => {
      output = `${output}${text}`.slice(-STDERR_TAIL);
    },
  });
  const exitCode = await exited;
  await rm(passwordFile, { force: true });
  if (exitCode === 0) return;
  await rm(data, { recursive: true, force: true });
  throw new Error(`initdb failed: ${output.trim() || `exit code ${exitCode}`}`);
}

/** Returns the wanted port if it is free, else one that the system chooses. */
async function findFreePort(wanted = 0): Promise<number> {
  const server = createServer();
  const port = await new Promise<number | undefined>((resolve) => {
    server.once('error', () => resolve(undefined));
    server.listen(wanted, '127.0.0.1', () => {
      const address = server.address();
      resolve(typeof address === 'object' ? address?.port : undefined);
    });
  });
  await new Promise((resolve) => server.close(resolve));
  if (port !== undefined) return port;
  if (wanted === 0) throw new Error('No free port on 127.0.0.1');
  return findFreePort();
}
