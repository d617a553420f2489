import { closeSync, openSync } from 'node:fs';
import { createServer } from 'node:net';
import { join, relative } from 'node:path';
import { PassThrough } from 'node:stream';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Stdin } from '../../../src/cli/read-stdin.js';
import { readPrompt } from '../../../src/cli/run/read-prompt.js';
import { makeFolder } from '../../fixtures/cli/support.js';

/** Stdin with a text. The descriptor decides what it is: a file, a device, a socket. */
function stdinWith(text: string, fd: number) {
  return Object.assign(new PassThrough(), { fd }).end(text);
}

function openFile(path: string): number {
  const fd = openSync(path, 'r');
  onTestFinished(() => closeSync(fd));
  return fd;
}

const NULL = () => openFile('/dev/null');
const FILE = () => openFile(join(makeFolder({ input: '' }), 'input'));
const said: string[] = [];
const request = { signal: new AbortController().signal, say: (line: string) => said.push(line) };
const read = (
  argument: string | undefined,
  flags: Parameters<typeof readPrompt>[1],
  stdin: Stdin,
) => readPrompt(argument, flags, stdin, request);

describe('the prompt of run', () => {
  it.each([
    ['no argument', undefined, {}],
    ['the argument -', '-', {}],
    ['--prompt-file -', undefined, { promptFile: '-' }],
  ])('is the text of stdin with %s', async (_what, argument, flags) => {
    expect(await read(argument, flags, stdinWith(' text\n', NULL()))).toEqual({ text: ' text\n' });
  });

  it('is the argument, and the step reads the prompt file itself', async () => {
    const path = join(makeFolder({ 'p.md': 'from file' }), 'p.md');
    const empty = () => stdinWith('', FILE());
    expect(await read('go ', {}, empty())).toEqual({ text: 'go ' });
    const flags = { promptFile: relative('.', path) };
    expect(await read(undefined, flags, empty())).toEqual({ text: '', promptFile: path });
  });

  it('is an argument or a file with the text of stdin behind it', async () => {
    const promptFile = join(makeFolder({ 'p.md': 'from file\n\n' }), 'p.md');
    const added = '\n\n<stdin>\n+ new\n\n</stdin>';
    const stdin = () => stdinWith('+ new\n\n', FILE());
    expect(await read('review', {}, stdin())).toEqual({ text: `review${added}` });
    expect(await read(undefined, { promptFile }, stdin())).toEqual({ text: `from file${added}` });
  });

  it.each([
    ['--no-stdin', { stdin: false }, FILE],
    ['a device', {}, NULL],
    ['a closed descriptor', {}, () => 1_000_000],
  ])('is the argument alone with %s', async (_what, flags, open) => {
    expect(await read('go', flags, stdinWith('more', open()))).toEqual({ text: 'go' });
  });

  it('has the text of a device with --stdin', async () => {
    const { text } = await read('go', { stdin: true }, stdinWith('more', NULL()));
    expect(text).toBe('go\n\n<stdin>\nmore\n</stdin>');
  });

  it('does not wait for a socket that stays silent', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const { fd } = Reflect.get(server, '_handle');
    const silent = Object.assign(new PassThrough(), { fd });
    expect(await read('go', {}, silent)).toEqual({ text: 'go' });
    expect(said.join()).toContain('nothing came on stdin');
  });

  it.each([
    ['two prompts', 'go', { promptFile: 'p.md' }, 'an argument and --prompt-file'],
    ['no prompt', undefined, { stdin: false }, 'No prompt was given'],
  ])('is refused: %s', async (_what, argument, flags, message) => {
    await expect(read(argument, flags, stdinWith('', NULL()))).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringContaining(message),
    });
  });
});
