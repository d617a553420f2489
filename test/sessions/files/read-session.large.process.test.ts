import { execFile } from 'node:child_process';
import { appendFileSync, closeSync, openSync, truncateSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { makeTree } from '../../base/fs/make-tree.js';
import { ANSWER, HEADER, lines } from './session-text.js';

const MEGABYTE = 1024 * 1024;
const module = pathToFileURL(
  join(import.meta.dirname, '../../../.build/sessions/files/read-session.js'),
);
const PROGRAM = `
  import { readSession } from ${JSON.stringify(module.href)};
  const { header, messages, diagnostics, complete } = await readSession(process.argv[1]);
  const peakMb = process.resourceUsage().maxRSS / 1024;
  const kinds = diagnostics.map(({ kind }) => kind);
  console.log(JSON.stringify({ header, count: messages.length, kinds, complete, peakMb }));
`;

interface Reading {
  readonly count: number;
  readonly kinds: readonly string[];
  readonly complete: boolean;
  readonly peakMb: number;
}

/** Reads a session file in a separate process with a limited heap. */
function readIn(heapMb: number, file: string): Promise<Reading> {
  const args = [`--max-old-space-size=${heapMb}`, '--input-type=module', '-e', PROGRAM, file];
  return new Promise((resolve, reject) => {
    execFile(process.execPath, args, (error, stdout) => {
      if (error === null) resolve(JSON.parse(stdout));
      else reject(error);
    });
  });
}

/** Writes a file that repeats one part between a beginning and an end. */
function writeLarge(name: string, parts: readonly [string, string, string], bytes: number): string {
  const file = join(makeTree(), name);
  const fd = openSync(file, 'w');
  const [begin, part, end] = parts;
  writeSync(fd, begin);
  for (let left = bytes; left > 0; left -= part.length) writeSync(fd, part);
  writeSync(fd, end);
  closeSync(fd);
  return file;
}

/** Returns about a megabyte of messages in the form of the CLI. */
function manyMessages(): (typeof ANSWER)[] {
  return Array.from({ length: 512 }, (_, index) => {
    return { ...ANSWER, id: `m${index}`, content: 'one two three '.repeat(146) };
  });
}

describe('a session file of 100 MB', () => {
  it('needs no more memory than its last messages', async () => {
    const part = lines(...manyMessages());
    const file = writeLarge('large.jsonl', [lines(HEADER), part, ''], 100 * MEGABYTE);
    const { count, complete, peakMb } = await readIn(96, file);
    expect({ count, complete }).toEqual({ count: 512, complete: true });
    expect(peakMb).toBeLessThan(250);
  });

  it('needs no more memory if it is one JSON object', async () => {
    // The ids repeat, so that only the last versions stay in memory.
    const part = manyMessages()
      .map((message) => `${JSON.stringify(message, null, 2)},\n`)
      .join('');
    const begin = `{\n  "sessionId": "s1",\n  "messages": [\n`;
    const end = `${JSON.stringify(ANSWER)}\n  ]\n}\n`;
    const file = writeLarge('large.json', [begin, part, end], 100 * MEGABYTE);
    const { count, complete, peakMb } = await readIn(96, file);
    expect({ count, complete }).toEqual({ count: 513, complete: true });
    expect(peakMb).toBeLessThan(250);
  });

  it('of garbage needs no memory for messages', async () => {
    const part = `${'garbage '.repeat(16)}\n`.repeat(MEGABYTE / 128);
    const file = writeLarge('garbage.jsonl', ['', part, ''], 100 * MEGABYTE);
    const { count, kinds } = await readIn(96, file);
    expect(count).toBe(0);
    expect(new Set(kinds)).toEqual(new Set(['garbage', 'no-header']));
  });
});

describe('a line that is longer than the longest accepted line', () => {
  /** Writes a file with a line of zeros, which take no space on the disk. */
  function writeZeros(before: string, bytes: number, after: string): string {
    const file = join(makeTree({ 'long.jsonl': before }), 'long.jsonl');
    truncateSync(file, before.length + bytes);
    appendFileSync(file, after);
    return file;
  }

  it('is dropped, and the other lines are read', async () => {
    const after = `\n${lines({ ...ANSWER, id: 'b' })}`;
    const file = writeZeros(lines(HEADER, ANSWER), 260 * MEGABYTE, after);
    const { count, kinds } = await readIn(96, file);
    expect({ count, kinds }).toEqual({ count: 2, kinds: ['overlong-line'] });
  });

  it('is not read into memory if it is the first line', async () => {
    const { count, kinds } = await readIn(96, writeZeros('', 600 * MEGABYTE, '\n'));
    expect({ count, kinds }).toEqual({ count: 0, kinds: ['overlong-line', 'no-header'] });
  });
});
