import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
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
    child.on('exit', (code) => resolve({ stdout, code }));
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
      'an empty answer',
      (_: unknown, response: Parameters<RequestListener>[1]) => void response.end(),
    ],
  ] satisfies [string, RequestListener][])('answers {} after %s', async (_name, onRequest) => {
    const { folder, socket } = writeBridge();
    await listen(socket, onRequest);
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
