import { existsSync, mkdtempSync, readdirSync, renameSync, statSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  askSocket,
  PrivateSocket,
  type SocketHandler,
} from '../../../src/remote/server/private-socket.js';
import { refusal } from '../../../src/remote/session/refusal.js';
import { recordLog } from '../record-log.js';

const createPath = (): string => join(mkdtempSync(join(tmpdir(), 'socket-')), 'hooks.sock');

async function listen(handle: SocketHandler) {
  const path = createPath();
  const { logger, lines } = recordLog();
  const socket = await PrivateSocket.listen(path, handle, logger);
  onTestFinished(() => socket.close());
  return { path, lines, socket };
}

/** Sends a request as it stands, and returns status and text of the answer. */
function send(path: string, url: string, body: string, headers: Record<string, string> = {}) {
  return new Promise<[number | undefined, string]>((resolve, reject) => {
    const given = { socketPath: path, path: url, method: 'POST', headers };
    const outgoing = request(given, (response) => {
      text(response).then((answer) => resolve([response.statusCode, answer]), reject);
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

describe('PrivateSocket', () => {
  it('gives path, body and headers to its handler, and the answer back', async () => {
    const handle = vi.fn<SocketHandler>(async () => ({ answer: 'ä' }));
    const { path } = await listen(handle);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(await askSocket(path, '/desk/x', { n: 1 })).toEqual({ answer: 'ä' });
    expect(handle.mock.calls[0]?.slice(0, 2)).toEqual(['/desk/x', { n: 1 }]);
    await send(path, '/hook/x', '', { 'x-tmux': '/tmp/tmux,1,2' });
    expect(handle.mock.calls[1]?.slice(0, 2)).toEqual(['/hook/x', {}]);
    expect(handle.mock.calls[1]?.[2]).toMatchObject({ 'x-tmux': '/tmp/tmux,1,2' });
  });

  it('refuses a second server, and replaces the socket of one that was killed', async () => {
    const { path, socket } = await listen(async () => ({}));
    const { logger } = recordLog();
    const second = PrivateSocket.listen(path, async () => ({}), logger);
    await expect(second).rejects.toThrow('is running already');
    await socket.close();
    expect(existsSync(path)).toBe(false);
    await expect(askSocket(path, '/ping', {})).rejects.toThrow('ENOENT');
    const killed = createServer();
    await new Promise<void>((resolve) => killed.listen(`${path}.old`, resolve));
    // A server removes its socket when it is closed; one that was killed leaves it.
    renameSync(`${path}.old`, path);
    await new Promise((resolve) => killed.close(resolve));
    await expect(askSocket(path, '/ping', {})).rejects.toThrow('ECONNREFUSED');
    const third = await PrivateSocket.listen(path, async () => ({ n: 3 }), logger);
    onTestFinished(() => third.close());
    expect(await askSocket(path, '/ping', {})).toEqual({ n: 3 });
  });

  it('leaves the socket to a server that has started meanwhile', async () => {
    const path = createPath();
    const { logger } = recordLog();
    // The first server is killed at the moment at which it is asked, and another one takes its place.
    const killed = createServer((incoming) => {
      renameSync(path, `${path}.old`);
      void PrivateSocket.listen(path, async () => ({ n: 2 }), logger).then((socket) => {
        onTestFinished(() => socket.close());
        incoming.socket.destroy();
      });
    });
    await new Promise<void>((resolve) => killed.listen(path, resolve));
    onTestFinished(() => void killed.close());
    const late = PrivateSocket.listen(path, async () => ({ n: 3 }), logger);
    await expect(late).rejects.toThrow('is running already');
    expect(await askSocket(path, '/ping', {})).toEqual({ n: 2 });
    expect(readdirSync(dirname(path)).toSorted()).toEqual([
      ...['hooks.sock', 'hooks.sock.old', 'server.json'],
    ]);
  });

  it('is one for each path, also if two start at the same time', async () => {
    const path = createPath();
    const { logger } = recordLog();
    const started = await Promise.allSettled(
      [1, 2, 3].map((n) => PrivateSocket.listen(path, async () => ({ n }), logger)),
    );
    const sockets = started.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    onTestFinished(async () => void (await Promise.all(sockets.map((socket) => socket.close()))));
    expect(sockets).toHaveLength(1);
    for (const one of started)
      if (one.status === 'rejected')
        expect(one.reason).toMatchObject({
          code: 'INVALID_CONFIG',
          message: expect.stringContaining('running already'),
        });
  });

  it('tells the caller why a command was refused, and hides any other error', async () => {
    const full = Object.assign(new Error("ENOSPC: no space left, write '/x'"), { code: 'ENOSPC' });
    const problems = [refusal('There is no device', 'List them.'), new Error('secret'), full];
    const { path, lines } = await listen(async () => Promise.reject(problems.shift()));
    await expect(askSocket(path, '/desk/revoke', {})).rejects.toMatchObject({
      ...{ code: 'INVALID_INPUT', message: 'There is no device', hint: 'List them.' },
    });
    expect(lines).toEqual([]);
    await expect(askSocket(path, '/desk/revoke', {})).rejects.toThrow(
      'The remote server has an error',
    );
    expect(lines).toMatchObject([{ level: 'error', fields: { error: 'Error: secret' } }]);
    await expect(askSocket(path, '/desk/away', {})).rejects.toThrow(
      'The server cannot store it: ENOSPC: no space left',
    );
  });

  it('answers a request that is no JSON with an error, and goes on', async () => {
    const { path } = await listen(async () => ({ isRunning: true }));
    expect(await send(path, '/hook/x', '{"cut')).toEqual([500, '{}']);
    expect(await askSocket(path, '/ping', {})).toEqual({ isRunning: true });
  });

  it('reports an answer that is no object of this server', async () => {
    const path = createPath();
    const answers = ['"text"', 'null', 'no JSON'];
    const server = createServer((_request, response) => {
      response.writeHead(500).end(answers.shift());
    });
    await new Promise<void>((resolve) => server.listen(path, resolve));
    onTestFinished(() => void server.close());
    for (const message of ['has an error', 'has an error', 'JSON'])
      await expect(askSocket(path, '/ping', {})).rejects.toThrow(message);
  });

  it('gives signs of life to a hook that waits, and an empty answer if it fails after that', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const waiting: ((error?: Error) => void)[] = [];
    const { path } = await listen(
      () =>
        new Promise((resolve, reject) => {
          waiting.push((error) => (error === undefined ? resolve({ n: 1 }) : reject(error)));
        }),
    );
    const answers = ['/hook/a', '/hook/b', '/desk/c'].map((url) => send(path, url, '{}'));
    await vi.waitUntil(() => waiting.length === 3);
    vi.advanceTimersByTime(5_000);
    waiting[0]?.();
    waiting[1]?.(refusal('too late'));
    waiting[2]?.();
    const [first, second, third] = await Promise.all(answers);
    expect(first?.[1]).toMatch(/^ {64,}\{"n":1\}$/);
    expect(second).toEqual([200, expect.stringMatching(/^ {64,}\{\}$/)]);
    expect(third).toEqual([200, '{"n":1}']);
  });

  it('tells the handler that the caller has gone away', async () => {
    const signals: AbortSignal[] = [];
    const { path } = await listen((_path, _body, _headers, signal) => {
      signals.push(signal);
      return new Promise(() => {});
    });
    const line = connect(path);
    line.write('POST /hook/x HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\n\r\n{}');
    await vi.waitFor(() => expect(signals).toHaveLength(1));
    expect(signals[0]?.aborted).toBe(false);
    line.destroy();
    await vi.waitFor(() => expect(signals[0]?.aborted).toBe(true));
  });
});
