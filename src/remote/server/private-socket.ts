import { randomBytes } from 'node:crypto';
import type { Stats } from 'node:fs';
import { chmod, lstat, rename, rm, writeFile } from 'node:fs/promises';
import {
  createServer,
  type IncomingMessage,
  request,
  type Server,
  type ServerResponse,
} from 'node:http';
import { dirname, join } from 'node:path';
import type { Logger } from '../../api/logger.js';
import { hasErrno } from '../../base/errors/errno.js';
import { ProviderError } from '../../base/errors/provider-error.js';
import { isObject } from '../../base/json/is-object.js';
import { isProcessAlive } from '../../base/process/process-table.js';
import { readJson } from '../state/read-json.js';
import { describeRemoteFolder } from '../state/remote-folder.js';
import { findRefusal } from './find-refusal.js';

/** More than one byte a second, so that curl does not count the line as silent. */
const SIGN_OF_LIFE = ' '.repeat(64);
const ALIVE_MS = 5_000;
const MOST_BODY_BYTES = 64 * 1024 * 1024;
/** Longest time in which a server answers a command of the desk. */
const ANSWER_MS = 5_000;

/** Serves a request on the socket: path and body in, answer out. The signal is aborted when the caller goes away. */
export type SocketHandler = (
  path: string,
  body: unknown,
  headers: Readonly<Record<string, string | undefined>>,
  signal: AbortSignal,
) => Promise<object>;

/**
 * Socket in the private state folder, on which hooks of the CLI and commands at the desk talk to the server. Only the user
 * can open the folder, so there is no token.
 */
export class PrivateSocket {
  readonly #server: Server;
  readonly #path: string;

  /** Listens on the socket. Throws INVALID_CONFIG if another server of the user does already, TIMEOUT if that one hangs. */
  static async listen(path: string, handle: SocketHandler, logger: Logger): Promise<PrivateSocket> {
    const left = await lstat(path).catch(() => undefined);
    if (await isServed(path)) throw runsAlready();
    if (left !== undefined) await removeLeft(path, left);
    const server = createServer((incoming, response) => {
      const closing = new AbortController();
      response.on('close', () => closing.abort());
      if (incoming.url?.startsWith('/hook/') === true) keepAlive(response);
      readBody(incoming)
        .then((body) => handle(incoming.url ?? '/', body, pickHeaders(incoming), closing.signal))
        .then((answer) => {
          if (!response.headersSent)
            response.writeHead(200, { 'content-type': 'application/json' });
          response.end(JSON.stringify(answer));
        })
        .catch((error: unknown) => {
          const refusal = findRefusal(error);
          if (!ProviderError.isInstance(error))
            logger.error({ error: String(error) }, 'A request on the socket failed');
          // A hook that has waited gets no other status any more: the empty answer opens the dialog at the desk.
          if (response.headersSent) {
            response.end('{}');
            return;
          }
          response.writeHead(refusal?.status ?? 500, { 'content-type': 'application/json' });
          response.end(JSON.stringify(refusal?.body ?? {}));
        });
    });
    // A hook waits for a person: neither headers nor request have a limit of time.
    server.requestTimeout = 0;
    server.headersTimeout = 0;
    await new Promise<void>((resolve, reject) => {
      // The socket of a server that was faster keeps this one from its path.
      server.once('error', (error) =>
        reject(hasErrno(error, 'EADDRINUSE') ? runsAlready() : error),
      );
      server.listen(path, resolve);
    });
    try {
      await chmod(path, 0o600);
      await writeFile(lockFileOf(path), JSON.stringify({ pid: process.pid }), { mode: 0o600 });
    } catch (error) {
      server.close();
      throw error;
    }
    return new PrivateSocket(server, path);
  }

  private constructor(server: Server, path: string) {
    this.#server = server;
    this.#path = path;
  }

  /** Ends the listening, which removes the socket. Nothing is removed after that: the next server may be there already. */
  async close(): Promise<void> {
    await rm(lockFileOf(this.#path), { force: true });
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
  }
}

/** True if a server answers on the socket. Throws TIMEOUT if it hangs. */
async function isServed(path: string): Promise<boolean> {
  try {
    await askSocket(path, '/ping', {});
    return true;
  } catch (error) {
    if (ProviderError.isInstance(error) && error.code === 'TIMEOUT') throw error;
    return false;
  }
}

/**
 * Removes the socket that a killed server has left. The file is moved away and compared first: another server may have put its socket
 * there meanwhile, and would go on without it, on the same logs as this one.
 */
async function removeLeft(path: string, left: Stats): Promise<void> {
  // As long as the name of the socket, because the length of its path is limited.
  const moved = join(dirname(path), randomBytes(5).toString('hex'));
  try {
    await rename(path, moved);
  } catch (error) {
    if (hasErrno(error, 'ENOENT')) return;
    throw error;
  }
  const { ino, mtimeMs } = await lstat(moved);
  const isLeft = ino === left.ino && mtimeMs === left.mtimeMs;
  if (!isLeft && (await isServed(moved))) {
    await rename(moved, path);
    throw runsAlready();
  }
  await rm(moved, { force: true });
}

function runsAlready(): ProviderError {
  return new ProviderError({
    code: 'INVALID_CONFIG',
    message: 'A remote server of this user is running already',
    hint: 'Use that one, end it first, or give another state folder with --state.',
  });
}

function lockFileOf(socket: string): string {
  return describeRemoteFolder(dirname(socket)).lockFile;
}

/**
 * Sends blanks to a hook that waits for a person, which JSON allows before the answer. A hook that gets none knows that the
 * server is stopped, and leaves the dialog to the desk.
 */
function keepAlive(response: ServerResponse): void {
  const timer = setInterval(() => {
    if (!response.headersSent) response.writeHead(200, { 'content-type': 'application/json' });
    response.write(SIGN_OF_LIFE);
  }, ALIVE_MS);
  timer.unref();
  response.on('close', () => clearInterval(timer));
  response.on('finish', () => clearInterval(timer));
}

/** Sends a request to the server of the user. Throws if there is none, if it refuses, and if it does not answer within the time. */
export function askSocket(
  path: string,
  command: string,
  body: object,
  answerMs = ANSWER_MS,
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const text = JSON.stringify(body);
    const headers = {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(text),
    };
    const outgoing = request(
      // A connection that was kept open may belong to a server that has ended.
      { socketPath: path, path: command, method: 'POST', headers, agent: false },
      (response) => {
        readBody(response)
          .then((answer) => {
            if (response.statusCode === 200) resolve(answer);
            else reject(toError(answer));
          })
          .catch(reject);
      },
    );
    const timer = setTimeout(() => {
      reject(notAnswering(path));
      outgoing.destroy();
    }, answerMs);
    outgoing.on('close', () => clearTimeout(timer));
    outgoing.on('error', reject);
    outgoing.end(text);
  });
}

/** Error for a server that is stopped or hangs. Its process is named if it still lives. */
function notAnswering(path: string): ProviderError {
  const stored = readJson(lockFileOf(path));
  const pid = isObject(stored) ? stored['pid'] : undefined;
  const isKnown = typeof pid === 'number' && isProcessAlive(pid);
  return new ProviderError({
    code: 'TIMEOUT',
    message: `The server does not answer${isKnown ? ` (process ${pid})` : ''}`,
    hint: isKnown
      ? `If it was stopped, let it go on: kill -CONT ${pid}. Otherwise end it: kill -KILL ${pid}`
      : 'Look for the process that runs `gemini-cli-provider remote`, and end it.',
  });
}

function toError(answer: unknown): Error {
  const message =
    typeof answer === 'object' && answer !== null ? Reflect.get(answer, 'message') : undefined;
  const hint =
    typeof answer === 'object' && answer !== null ? Reflect.get(answer, 'hint') : undefined;
  return new ProviderError({
    code: 'INVALID_INPUT',
    message: typeof message === 'string' ? message : 'The remote server has an error',
    ...(typeof hint === 'string' ? { hint } : {}),
  });
}

async function readBody(stream: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream) {
    if (!Buffer.isBuffer(chunk)) continue;
    bytes += chunk.length;
    if (bytes > MOST_BODY_BYTES) throw new Error('The request is too large');
    chunks.push(chunk);
  }
  const text = Buffer.concat(chunks).toString('utf8');
  return text === '' ? {} : (JSON.parse(text) as unknown);
}

function pickHeaders({ headers }: IncomingMessage): Readonly<Record<string, string | undefined>> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value[0] : value]),
  );
}
