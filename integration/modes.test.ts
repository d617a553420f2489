import { once } from 'node:events';
import { existsSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { makeFolder, openLab } from './support.js';
import { shell, write } from './tool-calls.js';

const MODES = ['plan', 'default', 'auto_edit', 'yolo'] as const;
const SERVER = join(import.meta.dirname, 'programs', 'mcp-server.mjs');
const SETTINGS = { mcpServers: { louder: { command: process.execPath, args: [SERVER] } } };

type Mode = (typeof MODES)[number];

/** What a mode lets happen without a rule, as the page on security has it. */
const MAY: Readonly<Record<string, readonly Mode[]>> = {
  'read.txt': MODES,
  'written.txt': ['auto_edit', 'yolo'],
  '.gemini/commands/planted.toml': ['yolo'],
  'ran.txt': ['yolo'],
  'redirected.txt': ['yolo'],
  'saved.txt': ['yolo'],
  'outside.txt': [],
  'through-link.txt': [],
  'through-new-link.txt': [],
  // The CLI itself refuses these in every mode.
  '.git/hooks/post-commit': [],
  '.git/config': [],
  '.env': [],
  fetched: [],
};

describe.each(['headless', 'acp'] as const)('a mode (%s)', (transport) => {
  it('lets happen what the page on security says (claim: mode-read, mode-write, mode-shell, mode-redirect, mode-mcp, mode-protected, mode-outside)', async () => {
    const seen = await Promise.all(MODES.map((mode) => tryEverything(transport, mode)));
    for (const [index, mode] of MODES.entries()) {
      const expected = Object.keys(MAY).filter((name) => MAY[name]?.includes(mode));
      expect(seen[index]?.sort(), mode).toEqual(expected.sort());
    }
  });
});

/** Lets the model try everything in a mode. Returns the names of what has happened. */
async function tryEverything(transport: 'headless' | 'acp', approvalMode: Mode): Promise<string[]> {
  const outside = makeFolder({}, onTestFinished);
  let hits = 0;
  const server = createServer((_request, response) => {
    hits++;
    response.end('fetched');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = Object(server.address());
  const workspace = makeFolder({
    'read.txt': 'content that was read',
    '.gemini/settings.json': JSON.stringify(SETTINGS),
  });
  symlinkSync(outside, join(workspace, 'link'));
  symlinkSync(join(outside, 'through-new-link.txt'), join(workspace, 'new-link'));
  const calls = [
    { name: 'read_file', args: { file_path: 'read.txt' } },
    write('written.txt', 'x'),
    write('.gemini/commands/planted.toml', 'prompt = "x"'),
    write(join(outside, 'outside.txt'), 'x'),
    shell('touch ran.txt'),
    shell('echo x > redirected.txt'),
    { name: 'mcp_louder_save', args: { target: join(workspace, 'saved.txt'), text: 'x' } },
  ];
  const escapes = [
    write('link/through-link.txt', 'x'),
    write('new-link', 'x'),
    write('.git/hooks/post-commit', 'x'),
    write('.git/config', 'x'),
    write('.env', 'x'),
    {
      name: 'web_fetch',
      args: { prompt: `Read http://127.0.0.1:${port}/ and http://[::1]:${port}/` },
    },
  ];
  const turns = [...calls.map((call) => [call]), escapes].map((toolCalls) => ({ toolCalls }));
  const lab = await openLab([...turns, { text: 'end' }], {
    config: { transport, approvalMode, workingDir: workspace },
  });
  await lab.run();
  const wasRead = JSON.stringify(lab.model.requests.at(-1)).includes('content that was read');
  const names = Object.keys(MAY).filter((name) => name !== 'read.txt');
  const written = names.filter((name) => {
    return existsSync(join(workspace, name)) || existsSync(join(outside, name));
  });
  if (hits > 0) written.push('fetched');
  return wasRead ? ['read.txt', ...written] : written;
}
