import { PassThrough } from 'node:stream';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { readStdin } from '../../src/cli/read-stdin.js';
import { MAX_PROMPT_BYTES } from '../../src/step/prompt/check-prompt.js';
import { failureOf } from '../fixtures/cli/support.js';

const said: string[] = [];
const request = {
  what: 'the prompt',
  signal: new AbortController().signal,
  say: (line: string) => void said.push(line),
};
afterEach(() => {
  said.length = 0;
  vi.useRealTimers();
});

function stdinWith(...pieces: readonly (string | Buffer)[]): PassThrough {
  const stdin = new PassThrough({ highWaterMark: 2 * MAX_PROMPT_BYTES });
  for (const piece of pieces) stdin.write(piece);
  return stdin.end();
}

describe('a text on stdin', () => {
  it('is awaited', async () => {
    const stdin = new PassThrough();
    const reading = readStdin(stdin, request);
    setTimeout(() => stdin.end('late'), 50);
    expect(await reading).toBe('late');
    expect(said).toEqual([]);
  });

  it('is read unchanged, wherever its pieces are cut', async () => {
    const text = '\u{FEFF}grüß 🦀\r\n';
    const bytes = Buffer.from(text);
    const pieces = [...bytes].map((byte) => Buffer.of(byte));
    expect(await readStdin(stdinWith(...pieces), request)).toBe(text);
  });

  it('may have the maximum length', async () => {
    const text = 'x'.repeat(MAX_PROMPT_BYTES);
    expect(await readStdin(stdinWith(text), request)).toHaveLength(MAX_PROMPT_BYTES);
  });

  it('is not read to its end if it is longer', async () => {
    const stdin = new PassThrough();
    const piece = Buffer.alloc(1024 * 1024, 'x');
    let taken = 0;
    const feed = (): void => {
      while (!stdin.destroyed && stdin.write(piece)) taken++;
      taken++;
    };
    stdin.on('drain', feed);
    const reading = failureOf(() => readStdin(stdin, request));
    feed();
    expect(await reading).toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringContaining(`more than ${MAX_PROMPT_BYTES} bytes`),
    });
    expect(taken).toBeLessThan(20);
  });

  it('may have another limit', async () => {
    const reading = failureOf(() => readStdin(stdinWith('12345'), { ...request, mostBytes: 4 }));
    expect(await reading).toMatchObject({
      message: 'Stdin has more than 4 bytes, the limit for the prompt',
    });
  });

  it('is refused if it is not UTF-8', async () => {
    const stdin = stdinWith(Buffer.from([0x68, 0x69, 0xff, 0xfe]));
    expect(await failureOf(() => readStdin(stdin, request))).toMatchObject({
      code: 'INVALID_INPUT',
      message: 'Stdin (the prompt) is not UTF-8',
    });
  });

  it('is refused if stdin cannot be read', async () => {
    const stdin = new PassThrough();
    stdin.destroy(new Error('EIO'));
    expect(await failureOf(() => readStdin(stdin, request))).toMatchObject({
      code: 'INVALID_INPUT',
      message: 'Stdin cannot be read',
    });
  });

  it('is refused the second time, with the name of both readers', async () => {
    const stdin = stdinWith('a: 1');
    await readStdin(stdin, { ...request, what: 'the config file' });
    expect(await failureOf(() => readStdin(stdin, request))).toMatchObject({
      code: 'INVALID_INPUT',
      message: 'Stdin cannot be the config file and the prompt',
    });
  });

  it('is no longer awaited after the step is cancelled', async () => {
    const cancel = new AbortController();
    const { signal } = cancel;
    const reading = failureOf(() => readStdin(new PassThrough(), { ...request, signal }));
    cancel.abort();
    expect(await reading).toMatchObject({ code: 'CANCELLED' });
  });
});

describe('stdin that stays open', () => {
  it('is given up if nothing comes in time, and the user is told', async () => {
    const stdin = new PassThrough();
    expect(await readStdin(stdin, { ...request, firstByteMs: 20 })).toBe('');
    expect(said.join('')).toContain('nothing came on stdin');
  });

  it('is read to its end if something came in time', async () => {
    const stdin = new PassThrough();
    stdin.write('begin');
    const reading = readStdin(stdin, { ...request, firstByteMs: 20 });
    setTimeout(() => stdin.end(' end'), 60);
    expect(await reading).toBe('begin end');
    expect(said).toEqual([]);
  });
});

describe('the user', () => {
  it('is told at once what to type on a terminal', async () => {
    const terminal = Object.assign(new PassThrough(), { isTTY: true });
    const reading = readStdin(terminal, request);
    expect(said).toEqual(['Type the prompt, then Ctrl-D on an empty line. Ctrl-C cancels.']);
    terminal.end('typed\n');
    expect(await reading).toBe('typed\n');
  });

  it('is told what the command waits for if nothing comes through a pipe', async () => {
    vi.useFakeTimers();
    const stdin = new PassThrough();
    const reading = readStdin(stdin, { ...request, reason: 'it is added' });
    vi.advanceTimersByTime(2_999);
    expect(said).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(said).toEqual(['Waiting for the end of stdin: it is added.']);
    stdin.end('x');
    expect(await reading).toBe('x');
  });
});
