import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { readStdin } from '../../src/cli/read-stdin.js';
import { MAX_PROMPT_BYTES } from '../../src/step/prompt/check-prompt.js';
import { failureOf } from '../fixtures/cli/support.js';

const never = new AbortController().signal;

function stdinWith(...pieces: readonly (string | Buffer)[]): PassThrough {
  const stdin = new PassThrough({ highWaterMark: 2 * MAX_PROMPT_BYTES });
  for (const piece of pieces) stdin.write(piece);
  return stdin.end();
}

describe('a prompt on stdin', () => {
  it('is awaited', async () => {
    const stdin = new PassThrough();
    const reading = readStdin(stdin, never);
    setTimeout(() => stdin.end('late'), 50);
    expect(await reading).toBe('late');
  });

  it('is read unchanged, wherever its pieces are cut', async () => {
    const text = '\u{FEFF}grüß 🦀\r\n';
    const bytes = Buffer.from(text);
    const pieces = [...bytes].map((byte) => Buffer.of(byte));
    expect(await readStdin(stdinWith(...pieces), never)).toBe(text);
  });

  it('may have the maximum length', async () => {
    const text = 'x'.repeat(MAX_PROMPT_BYTES);
    expect(await readStdin(stdinWith(text), never)).toHaveLength(MAX_PROMPT_BYTES);
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
    const reading = failureOf(() => readStdin(stdin, never));
    feed();
    expect(await reading).toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringContaining(`more than ${MAX_PROMPT_BYTES} bytes`),
    });
    expect(taken).toBeLessThan(20);
  });

  it('is refused if it is not UTF-8', async () => {
    const stdin = stdinWith(Buffer.from([0x68, 0x69, 0xff, 0xfe]));
    expect(await failureOf(() => readStdin(stdin, never))).toMatchObject({
      code: 'INVALID_INPUT',
      message: 'The prompt on stdin is not UTF-8',
    });
  });

  it('is refused if stdin cannot be read', async () => {
    const stdin = new PassThrough();
    stdin.destroy(new Error('EIO'));
    expect(await failureOf(() => readStdin(stdin, never))).toMatchObject({
      code: 'INVALID_INPUT',
      message: 'Stdin cannot be read',
    });
  });

  it('is refused at once if stdin is a terminal', async () => {
    const terminal = Object.assign(new PassThrough(), { isTTY: true });
    expect(await failureOf(() => readStdin(terminal, never))).toMatchObject({
      code: 'INVALID_INPUT',
      message: 'No prompt was given',
    });
  });

  it('is no longer awaited after the step is cancelled', async () => {
    const cancel = new AbortController();
    const reading = failureOf(() => readStdin(new PassThrough(), cancel.signal));
    cancel.abort();
    expect(await reading).toMatchObject({ code: 'CANCELLED' });
  });
});
