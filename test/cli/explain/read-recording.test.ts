import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { readRecording } from '../../../src/cli/explain/read-recording.js';
import { endAfterTest, failureOf, makeFolder, makePipe } from '../../fixtures/cli/support.js';

const fail = (problem: string): never => {
  throw new Error(`refused: ${problem}`);
};

async function read(path: string): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of readRecording(path, fail)) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

const readBytes = (bytes: Buffer) => read(join(makeFolder({ file: bytes }), 'file'));

describe('a recording on the disk', () => {
  const marked = Buffer.from('\u{FEFF}Grüße', 'utf16le');

  it.each([
    ['plain', Buffer.from('Grüße'), 'Grüße'],
    ['gzipped', gzipSync('Grüße'), 'Grüße'],
    ['UTF-16', marked, 'Grüße'],
    ['gzipped UTF-16', gzipSync(marked), 'Grüße'],
    ['gzipped twice over', Buffer.concat([gzipSync('a'), gzipSync('b')]), 'ab'],
    ['empty', Buffer.alloc(0), ''],
    ['gzipped nothing', gzipSync(''), ''],
    ['one byte', Buffer.from('x'), 'x'],
  ])('is read if it is %s', async (_what, bytes, text) => {
    expect(await readBytes(bytes)).toBe(text);
  });

  it('is read if it is longer than one piece', async () => {
    const text = 'line\n'.repeat(100_000);
    expect(await readBytes(Buffer.from(text))).toBe(text);
    expect(await readBytes(gzipSync(text))).toBe(text);
  });

  it.each([
    ['a broken archive', Buffer.from([0x1f, 0x8b, 8, 98, 97, 100]), /file: .*header/],
    ['half an archive', gzipSync('x'.repeat(100)).subarray(0, 15), /file: unexpected end of file/],
  ])('is refused if it is %s', async (_what, bytes, problem) => {
    expect(String(await failureOf(() => readBytes(bytes)))).toMatch(problem);
  });

  it.each([
    ['/no/such/file', 'refused: /no/such/file: ENOENT'],
    ['/', 'refused: /: EISDIR'],
  ])('is refused if it is no file: %s', async (path, problem) => {
    expect(String(await failureOf(() => read(path)))).toContain(problem);
  });
});

describe('a recording in a named pipe', () => {
  it('is read in pieces of any size', async () => {
    const path = makePipe();
    const script = '{ sleep 0.1; printf "\\357"; sleep 0.1; printf "\\273\\277one"; } > "$0"';
    const writer = spawn('sh', ['-c', script, path], { stdio: 'ignore' });
    endAfterTest(writer.pid ?? 0);
    expect(await read(path)).toBe('one');
  });
});
