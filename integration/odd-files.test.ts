import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import {
  findSessionFile,
  getMessages,
  listSessions,
  projectName,
  readSession,
  watchSession,
} from 'gemini-cli-provider/sessions';
import { expect, it, onTestFinished } from 'vitest';
import { makeFolder, openLab, read } from './support.js';
import { writing } from './tool-calls.js';

const refused = { code: 'INVALID_INPUT' };

it('session functions refuse a FIFO, a socket, a device and a folder, and never wait (claim: sessions-regular-files)', async () => {
  const folder = makeFolder();
  const fifo = join(folder, 'fifo.jsonl');
  execFileSync('mkfifo', [fifo, join(folder, 'fifo.json')]);
  const socket = join(folder, 'socket.jsonl');
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(socket, resolve));
  onTestFinished(() => void server.close());
  for (const path of [fifo, join(folder, 'fifo.json'), socket, '/dev/zero', folder]) {
    await expect(readSession(path)).rejects.toMatchObject(refused);
    await expect(getMessages(path)).rejects.toMatchObject(refused);
    await expect(watchSession(path).next()).rejects.toMatchObject(refused);
  }
});

it('sessions are listed although files of the CLI are FIFOs (claim: sessions-regular-files)', async () => {
  const geminiHome = makeFolder();
  const chats = join(geminiHome, 'tmp', 'app', 'chats');
  mkdirSync(chats, { recursive: true });
  execFileSync('mkfifo', [
    join(geminiHome, 'projects.json'),
    join(dirname(chats), '.project_root'),
    join(chats, 'session-1.jsonl'),
  ]);
  expect(await listSessions({ geminiHome })).toEqual([]);
  expect(await listSessions({ geminiHome, projectDir: '.' })).toEqual([]);
  expect(await findSessionFile('latest', { geminiHome })).toBeUndefined();
  expect(projectName('.', { geminiHome })).toBeUndefined();
});

it('the scripted model sends characters that the CLI takes for ends of a line', async () => {
  const odd = 'a\u2028b\u2029c\u0085d\u200ee\u007f';
  const lab = await openLab([{ text: `${odd} `, ...writing('odd.txt', odd) }, { text: odd }]);
  const { text } = await lab.run();
  expect(text).toBe(`${odd} ${odd}`);
  expect(read(lab.workspace, 'odd.txt')).toBe(odd);
});
