import { connect, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { isObject } from '../../base/json/is-object.js';
import { spawnServer } from '../../base/process/spawn-server.js';
import { answersWithin, sleep } from '../../base/process/timing.js';
import { changeHostPort, readIdentity } from './embedded-identity.js';

/** Path of the bundled host, seen from `src/` and `.build/`. The build rewrites it for `dist/`. Node runs only the bundle. */
const HOST_MAIN = fileURLToPath(new URL('../../../dist/postgres-host.js', import.meta.url));
const START_MS = 60_000;
const POLL_MS = 50;
/** Time after which a program that holds the port without the right first word is taken for another one. */
const GREETING_MS = 5_000;

export interface HostConnection {
  /** Port of PostgreSQL. */
  readonly port: number;
  readonly pid: number;
  readonly password: string;
  close(): void;
}

/** Connects to the host program of a folder, and starts the host if none runs. The host starts PostgreSQL. */
export async function connectToHost(folder: string, isTemporary: boolean): Promise<HostConnection> {
  const deadline = performance.now() + START_MS;
  let isHostStarted = false;
  while (performance.now() < deadline) {
    const identity = await readIdentity(folder);
    const socket = await openSocket(identity.hostPort);
    if (socket === undefined) {
      if (!isHostStarted)
        startHost(folder, isTemporary, () => {
          isHostStarted = false;
        });
      isHostStarted = true;
      await sleep(POLL_MS);
      continue;
    }
    const lines = createInterface({ input: socket })[Symbol.asyncIterator]();
    const greeting = await nextLine(lines, GREETING_MS);
    if (greeting === identity.token) {
      const answer = await nextLine(lines, START_MS);
      if (answer !== undefined) return readAnswer(answer, identity.password, socket);
    } else if (greeting !== undefined || !socket.destroyed) await changeHostPort(folder, identity);
    // The host was about to end, or another program has the port.
    socket.destroy();
    await sleep(POLL_MS);
  }
  throw new Error(`The server in ${folder} did not start within ${START_MS / 1000} s`);
}

function startHost(folder: string, isTemporary: boolean, onExit: () => void): void {
  const mode = isTemporary ? ['temporary'] : [];
  const host = spawnServer({ command: process.execPath, args: [HOST_MAIN, folder, ...mode] });
  void host.exited.then(onExit);
}

async function openSocket(port: number): Promise<Socket | undefined> {
  const socket = connect(port, '127.0.0.1');
  return new Promise((resolve) => {
    socket.once('connect', () => resolve(socket));
    socket.on('error', () => resolve(undefined));
  });
}

async function nextLine(
  lines: AsyncIterator<string>,
  timeoutMs: number,
): Promise<string | undefined> {
  const next = await answersWithin(() => lines.next(), timeoutMs);
  return next?.done === true ? undefined : next?.value;
}

function readAnswer(line: string, password: string, socket: Socket): HostConnection {
  const answer: unknown = JSON.parse(line);
  if (isObject(answer) && typeof answer['port'] === 'number' && typeof answer['pid'] === 'number') {
    // The connection tells the host that this process lives, and must not keep this process alive.
    socket.unref();
    const { port, pid } = { port: answer['port'], pid: answer['pid'] };
    return { port, pid, password, close: () => socket.destroy() };
  }
  socket.destroy();
  const problem = isObject(answer) ? answer['problem'] : undefined;
  throw new Error(typeof problem === 'string' ? problem : `Unexpected answer of the host: ${line}`);
}
