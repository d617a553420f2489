import { rm } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { messageOf } from '../../base/errors/message-of.js';
import { isProcessAlive } from '../../base/process/process-table.js';
import { readIdentity } from './embedded-identity.js';
import { endOrphanedServer } from './orphaned-server.js';
import { type PostgresServer, startPostgresServer } from './postgres-server.js';

/** Time without a user after which the server ends: the next command of the same user often follows soon. */
const IDLE_MS = 2_000;
/** Time that the first user has for its connection. */
const FIRST_USER_MS = 10_000;

/**
 * Runs the server of a folder as long as a process is connected to this one. A connection ends with its process, even by
 * SIGKILL, so that no server is left behind. Resolves when the server has ended.
 */
export async function hostPostgres(folder: string, isTemporary: boolean): Promise<void> {
  const { hostPort, token, password } = await readIdentity(folder);
  const users = new Set<Socket>();
  let isEnding = false;
  let server: Promise<PostgresServer> | undefined;
  let lastPort: number | undefined;
  let onEnd = (): void => {};
  const ended = new Promise<void>((resolve) => {
    onEnd = resolve;
  });

  const start = async (): Promise<PostgresServer> => {
    await endOrphanedServer(join(folder, 'data'));
    const started = await startPostgresServer(folder, password, lastPort);
    lastPort = started.port;
    return started;
  };
  const forget = (ended: Promise<PostgresServer> | undefined): void => {
    if (server === ended) server = undefined;
  };
  const watch = (starting: Promise<PostgresServer>): Promise<PostgresServer> => {
    const end = (): void => forget(starting);
    starting.then(({ exited }) => exited).then(end, end);
    return starting;
  };
  /** Returns the server that runs, or starts one. */
  const provide = async (): Promise<PostgresServer> => {
    const known = server;
    const running = await known?.catch(() => undefined);
    // The end of a process is reported a moment after the process has died.
    const isDead = running?.pid !== undefined && !isProcessAlive(running.pid);
    if (isDead) forget(known);
    server ??= watch(start());
    return server;
  };
  const endIfUnused = async (): Promise<void> => {
    if (users.size > 0 || isEnding) return;
    isEnding = true;
    await (await server?.catch(() => undefined))?.stop();
    if (isTemporary) await rm(folder, { recursive: true, force: true });
    onEnd();
  };
  let idle = setTimeout(endIfUnused, FIRST_USER_MS);

  const listener = createServer((user) => {
    user.on('error', () => {});
    if (isEnding) {
      // The user tries again until the port is free, and then starts a new host.
      user.destroy();
      return;
    }
    users.add(user);
    user.once('close', () => {
      users.delete(user);
      clearTimeout(idle);
      idle = setTimeout(endIfUnused, IDLE_MS);
    });
    user.write(`${token}\n`);
    provide().then(
      ({ port, pid }) => user.write(`${JSON.stringify({ port, pid })}\n`),
      (error: unknown) => {
        user.end(`${JSON.stringify({ problem: messageOf(error) })}\n`);
      },
    );
  });
  listener.once('error', onEnd);
  listener.listen(hostPort, '127.0.0.1');
  await ended;
  clearTimeout(idle);
  listener.close();
}
