import { describe, expect, it } from 'vitest';
import { toUtf8 } from '../../../src/cli/explain/to-utf8.js';

const TEXT = '{"text":"Grüße 🦀"}\r\n';

async function convert(...pieces: readonly Buffer[]): Promise<string> {
  async function* arriving() {
    yield* pieces;
  }
  const converted: Buffer[] = [];
  for await (const piece of toUtf8(arriving())) converted.push(piece);
  return Buffer.concat(converted).toString('utf8');
}

function cutAnywhereBehind(start: number, bytes: Buffer): Buffer[] {
  const rest = [...bytes.subarray(start)].map((byte) => Buffer.of(byte));
  return [bytes.subarray(0, start), ...rest];
}

describe('toUtf8', () => {
  const marked = `\u{FEFF}${TEXT}`;

  it.each([
    ['UTF-8', Buffer.from(TEXT)],
    ['UTF-8 with a byte order mark', Buffer.from(marked)],
    ['UTF-16LE', Buffer.from(marked, 'utf16le')],
    ['UTF-16BE', Buffer.from(marked, 'utf16le').swap16()],
  ])('returns UTF-8 without a byte order mark for %s', async (_encoding, bytes) => {
    expect(await convert(bytes)).toBe(TEXT);
    expect(await convert(...cutAnywhereBehind(3, bytes))).toBe(TEXT);
  });

  it('keeps a byte order mark in the middle', async () => {
    expect(await convert(Buffer.from('abc'), Buffer.from(marked))).toBe(`abc${marked}`);
  });

  it('accepts empty input', async () => {
    expect(await convert()).toBe('');
  });
});
