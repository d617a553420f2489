import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { LineFramer } from '../../../src/base/ndjson/line-framer.js';

/** Returns the lines and overlong sizes that a framer emits for these chunks. */
function frame(chunks: readonly (Buffer | string)[], maxLineBytes?: number) {
  const lines: string[] = [];
  const overlong: number[] = [];
  const framer = new LineFramer({
    onLine: (line) => lines.push(line),
    onOverlong: (bytes) => overlong.push(bytes),
    maxLineBytes,
  });
  for (const chunk of chunks) framer.push(Buffer.from(chunk));
  const isOpen = framer.end();
  return { lines, overlong, isOpen };
}

function cutEverywhere(bytes: Buffer): Buffer[][] {
  return Array.from({ length: bytes.length + 1 }, (_, at) => [
    bytes.subarray(0, at),
    bytes.subarray(at),
  ]);
}

describe('a line framer', () => {
  it.each([
    ['one line', ['a\n'], ['a']],
    ['several lines in one chunk', ['a\nbc\ndef\n'], ['a', 'bc', 'def']],
    ['a line in several chunks', ['a', 'b', 'c\nd', '\n'], ['abc', 'd']],
    ['a newline that comes alone', ['abc', '\n'], ['abc']],
    ['empty lines, which it leaves out', ['\n\na\n\n\nb\n\n'], ['a', 'b']],
    ['Windows line ends', ['a\r\nb\r\n\r\n'], ['a', 'b']],
    ['a carriage return inside a line', ['a\rb\n'], ['a\rb']],
    ['blanks, which it keeps', ['  a \n'], ['  a ']],
    ['empty chunks', ['', 'a', '', '\n', ''], ['a']],
    ['nothing', [], []],
  ])('reads %s', (_what, chunks, lines) => {
    expect(frame(chunks)).toEqual({ lines, overlong: [], isOpen: false });
  });

  it('emits a last line without a newline, and end() returns true', () => {
    expect(frame(['a\nb'])).toEqual({ lines: ['a', 'b'], overlong: [], isOpen: true });
    expect(frame(['a\n']).isOpen).toBe(false);
  });

  it('emits nothing at a second end()', () => {
    const lines: string[] = [];
    const framer = new LineFramer({ onLine: (line) => lines.push(line) });
    framer.push(Buffer.from('a'));
    expect([framer.end(), framer.end()]).toEqual([true, false]);
    expect(lines).toEqual(['a']);
  });

  it.each([
    ['of two to four bytes', 'é€😀\nñ漢🧑‍🚀\n'],
    ['in lines with Windows ends', 'ü\r\n\r\n→\r\nz'],
    ['that other readers take for line ends', 'a\u2028b\u2029c\u0085d\n\u000be\f\n'],
  ])('joins characters %s at any cut between bytes', (_what, text) => {
    const bytes = Buffer.from(text);
    const whole = frame([bytes]).lines;
    expect(whole.join('|')).toBe(text.split(/\r?\n/).filter(Boolean).join('|'));
    for (const chunks of cutEverywhere(bytes)) expect(frame(chunks).lines).toEqual(whole);
    expect(frame([...bytes].map((byte) => Buffer.of(byte))).lines).toEqual(whole);
  });

  it('allows callers to reuse a chunk', () => {
    const lines: string[] = [];
    const framer = new LineFramer({ onLine: (line) => lines.push(line) });
    const chunk = Buffer.alloc(4);
    for (const text of ['1\nab', 'cdef', 'gh\ni', 'jkl\n']) {
      chunk.write(text);
      framer.push(chunk);
      chunk.fill('#');
    }
    expect(lines).toEqual(['1', 'abcdefgh', 'ijkl']);
  });

  it('reads short lines after a giant one', () => {
    const giant = 'x'.repeat(3 * 1024 * 1024);
    const { lines } = frame([giant.slice(0, 5), giant.slice(5), '\nab', 'c\nd\n']);
    expect(lines.map((line) => line.length)).toEqual([giant.length, 3, 1]);
    expect(lines.slice(1)).toEqual(['abc', 'd']);
  });
});

describe('a line that is too long', () => {
  it.each([[['hello\r\n']], [['hel', 'lo\r\n']], [['hello\r', '\n']]])(
    'does not count a carriage return: %j',
    (chunks) => {
      expect(frame(chunks, 5)).toMatchObject({ lines: ['hello'] });
    },
  );

  it.each([
    ['in one chunk', ['ab\n123456789\ncd\n']],
    ['in many chunks', ['ab\n1', '23', '45', '678', '9', '\nc', 'd\n']],
    ['with its newline in a chunk of its own', ['ab\n123456789', '\n', 'cd\n']],
    ['in two chunks of which the first is too long already', ['ab\n12345678', '9\ncd\n']],
  ])('is reported once with its size and dropped, %s', (_how, chunks) => {
    expect(frame(chunks, 5)).toEqual({ lines: ['ab', 'cd'], overlong: [9], isOpen: false });
  });

  it('is reported at the end if it has no newline', () => {
    expect(frame(['1234', '5678'], 5)).toEqual({ lines: [], overlong: [8], isOpen: true });
  });

  it('is at least one byte longer than maxLineBytes', () => {
    expect(frame(['12345\n'], 5)).toMatchObject({ lines: ['12345'], overlong: [] });
    expect(frame(['123', '45\n'], 5)).toMatchObject({ lines: ['12345'], overlong: [] });
    expect(frame(['123', '456\n'], 5)).toMatchObject({ lines: [], overlong: [6] });
  });

  it('is dropped silently without onOverlong', () => {
    const lines: string[] = [];
    const framer = new LineFramer({ onLine: (line) => lines.push(line), maxLineBytes: 3 });
    framer.push(Buffer.from('12345\nab\n'));
    expect(lines).toEqual(['ab']);
  });
});

describe('the work for one line', () => {
  const MEGABYTE = 1024 * 1024;

  /** Returns the bytes allocated while a line is read, which shows how often the line is copied. */
  function memoryFor(bytes: number): number {
    const allocate = vi.spyOn(Buffer, 'allocUnsafe');
    onTestFinished(() => allocate.mockRestore());
    const { lines } = frame(Array.from({ length: bytes / 1024 }, () => Buffer.alloc(1024, 'x')));
    expect(lines.map((line) => line.length)).toEqual([bytes]);
    const sizes = allocate.mock.calls.map(([size]) => size);
    return sizes.reduce((sum, size) => sum + size, 0);
  }

  it.each([1, 4, 16])('grows linearly with its length (%i MB)', (megabytes) => {
    const bytes = megabytes * MEGABYTE;
    expect(memoryFor(bytes)).toBeLessThanOrEqual(3 * bytes);
  });
});
