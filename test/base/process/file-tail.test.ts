import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { FileTail } from '../../../src/base/process/file-tail.js';
import { makeFolder } from '../../fixtures/cli/support.js';

async function openTail(content: string | Buffer) {
  const path = join(makeFolder({ out: content }), 'out');
  const tail = await FileTail.open(path);
  onTestFinished(() => tail.close());
  return { path, tail };
}

async function readAll(tail: FileTail): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for (let chunk = await tail.read(); chunk !== undefined; chunk = await tail.read()) {
    chunks.push(Buffer.from(chunk));
  }
  return Buffer.concat(chunks);
}

describe('the tail of a file', () => {
  it('returns the bytes added since the last read, or undefined if there are none', async () => {
    const { path, tail } = await openTail('');
    expect(await tail.read()).toBeUndefined();
    appendFileSync(path, 'one\ntw');
    expect(String(await tail.read())).toBe('one\ntw');
    expect(await tail.read()).toBeUndefined();
    appendFileSync(path, 'o\n');
    appendFileSync(path, 'three\n');
    expect(String(await tail.read())).toBe('o\nthree\n');
    expect(await tail.read()).toBeUndefined();
  });

  it.each([
    ['just below a buffer', 256 * 1024 - 1],
    ['just above a buffer', 256 * 1024 + 1],
    ['of several buffers', 1_000_003],
  ])('loses nothing of a piece %s while more is added', async (_what, size) => {
    const numbered = Buffer.from(Array.from({ length: size }, (_, index) => index % 251));
    const { path, tail } = await openTail(numbered);
    const first = Buffer.from((await tail.read()) ?? []);
    appendFileSync(path, 'the end');
    const rest = await readAll(tail);
    const expected = Buffer.concat([numbered, Buffer.from('the end')]);
    expect(Buffer.concat([first, rest]).equals(expected)).toBe(true);
    appendFileSync(path, ' at last');
    expect(String(await readAll(tail))).toBe(' at last');
  });

  it('returns a piece of exactly one buffer, then undefined', async () => {
    const { path, tail } = await openTail(Buffer.alloc(256 * 1024, 'x'));
    expect(await readAll(tail)).toHaveLength(256 * 1024);
    appendFileSync(path, 'more');
    expect(String(await readAll(tail))).toBe('more');
  });

  it('keeps bytes unchanged, also those of cut characters', async () => {
    const { path, tail } = await openTail(Buffer.from('é').subarray(0, 1));
    expect(await tail.read()).toEqual(Buffer.from([0xc3]));
    appendFileSync(path, Buffer.from('é').subarray(1));
    expect(await tail.read()).toEqual(Buffer.from([0xa9]));
  });

  it('knows the size of the file and the position of the reader', async () => {
    const { path, tail } = await openTail('12345');
    expect(tail.size).toBe(5);
    expect(tail.position).toBe(0);
    await tail.read();
    expect(tail.position).toBe(5);
    writeFileSync(path, '678', { flag: 'a' });
    expect(tail.size).toBe(8);
    expect(tail.position).toBe(5);
  });

  it('cannot be opened for a missing file', async () => {
    await expect(FileTail.open(join(makeFolder(), 'none'))).rejects.toThrow('ENOENT');
  });
});

describe('a file of exactly one chunk', () => {
  it('returns bytes at once that are added before the next read', async () => {
    const { path, tail } = await openTail(Buffer.alloc(256 * 1024, 'x'));
    expect((await tail.read())?.length).toBe(256 * 1024);
    await new Promise((resolve) => setTimeout(resolve, 20));
    appendFileSync(path, 'more');
    expect(String(await tail.read())).toBe('more');
  });
});
