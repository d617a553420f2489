import { execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { renderExtension } from '../../../src/remote/hooks/extension-files.js';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.closeAllConnections();
});

function writeBridge(): { readonly folder: string; readonly socket: string } {
  const folder = mkdtempSync(join(tmpdir(), "bridge ' "));
  const socket = join(folder, 'hooks.sock');
  const files = renderExtension({
    folder,
    socket,
    node: process.execPath,
    script: '/missing.js',
    version: '1',
    silenceSeconds: 1,
  });
  writeFileSync(join(folder, 'bridge.sh'), files['bridge.sh'] ?? '');
  return { folder, socket };
}

async function listen(socket: string, onRequest: RequestListener): Promise<void> {
  const server = createServer(onRequest);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(socket, resolve));
}

/** Runs the bridge as the CLI does: the payload on stdin, the answer on stdout. */
function run(
  folder: string,
  env: Record<string, string> = {},
): Promise<{ readonly stdout: string; readonly code: number | null }> {
  return new Promise((resolve) => {
    const child = spawn('sh', [join(folder, 'bridge.sh'), 'BeforeTool'], {
      env: { PATH: process.env['PATH'] ?? '', ...env },
    });
    let stdout = '';
    child.stdout.on('data', (chunk) => {
      stdout += chunk;
    });
    child.on('close', (code) => resolve({ stdout, code }));
    child.stdin.on('error', () => {});
    child.stdin.end(JSON.stringify({ tool_name: 'x', text: 'x'.repeat(200_000) }));
  });
}

describe('the bridge of the hooks', () => {
  it('is a script that sh accepts', () => {
    const { folder } = writeBridge();
    execFileSync('sh', ['-n', join(folder, 'bridge.sh')]);
  });

  it('answers {} if there is no server', async () => {
    const { folder } = writeBridge();
    expect(await run(folder)).toEqual({ stdout: '{}', code: 0 });
  });

  it('gives payload and pane to the server, and prints its answer', async () => {
    const { folder, socket } = writeBridge();
    const seen: unknown[] = [];
    await listen(socket, (request, response) => {
      let body = '';
      request.on('data', (chunk) => {
        body += chunk;
      });
      request.on('end', () => {
        seen.push(request.url, request.headers['x-tmux-pane'], JSON.parse(body).text.length);
        response.end('{"decision":"deny","reason":"it\'s no"}');
      });
    });
    expect(await run(folder, { TMUX_PANE: '%7' })).toEqual({
      stdout: '{"decision":"deny","reason":"it\'s no"}',
      code: 0,
    });
    expect(seen).toEqual(['/hook/BeforeTool', '%7', 200_000]);
  });

  it.each([
    [
      'an error of the server',
      (_: unknown, response: Parameters<RequestListener>[1]) =>
        void response.writeHead(500).end('oops'),
    ],
    [
      'a line that is cut',
      (request: Parameters<RequestListener>[0]) => void request.socket.destroy(),
    ],
    [
      'an answer that is no JSON',
      (_: unknown, response: Parameters<RequestListener>[1]) => void response.end('garbage\n'),
    ],
    ['a server that hangs', () => undefined],
    [
      'an answer that is cut',
      (_: unknown, response: Parameters<RequestListener>[1]) => {
        response.writeHead(200, { 'content-length': '100' });
        response.write('{"decision":');
        response.socket?.end();
      },
    ],
    [
      'an empty answer',
      (_: unknown, response: Parameters<RequestListener>[1]) => void response.end(),
    ],
  ] satisfies [string, RequestListener][])('answers {} after %s', async (_name, onRequest) => {
    const { folder, socket } = writeBridge();
    await listen(socket, onRequest);
    expect(await run(folder)).toEqual({ stdout: '{}', code: 0 });
  });

  it('waits for a server that shows signs of life, and prints what it says at last', async () => {
    const { folder, socket } = writeBridge();
    await listen(socket, (_request, response) => {
      const timer = setInterval(() => response.write(' '.repeat(64)), 100);
      setTimeout(() => {
        clearInterval(timer);
        response.end('{"decision":"deny"}');
      }, 2_500);
    });
    const { stdout, code } = await run(folder);
    expect([stdout.trim(), code]).toEqual(['{"decision":"deny"}', 0]);
  });

  it('starts neither curl nor Node.js if there is no server', async () => {
    const { folder } = writeBridge();
    const bin = join(folder, 'bin');
    mkdirSync(bin);
    for (const name of ['curl', 'node']) {
      writeFileSync(
        join(bin, name),
        `#!/bin/sh\ntouch '${join(bin, 'started').replaceAll("'", "'\\''")}'\n`,
      );
      chmodSync(join(bin, name), 0o755);
    }
    const path = { PATH: `${bin}:${process.env['PATH']}` };
    expect(await run(folder, path)).toEqual({ stdout: '{}', code: 0 });
    expect(existsSync(join(bin, 'started'))).toBe(false);
  });

  it('answers {} if the server has left its socket behind', async () => {
    const { folder, socket } = writeBridge();
    const listen = `require('net').createServer().listen(${JSON.stringify(socket)}, () => process.kill(process.pid, 'SIGKILL'))`;
    spawnSync(process.execPath, ['-e', listen]);
    expect(existsSync(socket)).toBe(true);
    expect(await run(folder)).toEqual({ stdout: '{}', code: 0 });
  });

  it('does not use a socket of another user', async () => {
    const { folder, socket } = writeBridge();
    await listen(socket, (_request, response) => void response.end('{"decision":"deny"}'));
    if (process.getuid?.() !== 0) {
      expect(readFileSync(join(folder, 'bridge.sh'), 'utf8')).toContain('[ ! -O "$SOCKET" ]');
      return;
    }
    chownSync(socket, 65_534, 65_534);
    expect(await run(folder)).toEqual({ stdout: '{}', code: 0 });
  });

  it('leaves steps of this package alone', async () => {
    const { folder, socket } = writeBridge();
    await listen(socket, (_request, response) => void response.end('{"decision":"deny"}'));
    expect(await run(folder, { GEMINI_CLI_PROVIDER_TAG: 'step' })).toEqual({
      stdout: '{}',
      code: 0,
    });
  });
});
