import { TextDecoder } from 'node:util';

const BYTE_ORDER_MARKS = [
  { mark: Buffer.from([0xef, 0xbb, 0xbf]), encoding: undefined },
  { mark: Buffer.from([0xff, 0xfe]), encoding: 'utf-16le' },
  { mark: Buffer.from([0xfe, 0xff]), encoding: 'utf-16be' },
] as const;

/**
 * Converts to UTF-8 without a byte order mark, from the encoding that the mark at the start names: `>` in PowerShell on
 * Windows writes UTF-16. The first piece must contain the whole mark.
 */
export async function* toUtf8(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
  let decoder: TextDecoder | undefined;
  let isStart = true;
  for await (const piece of pieces) {
    const found = isStart ? findMark(piece) : undefined;
    isStart = false;
    if (found?.encoding !== undefined) decoder = new TextDecoder(found.encoding);
    const bytes = piece.subarray(found?.mark.length ?? 0);
    yield decoder === undefined ? bytes : Buffer.from(decoder.decode(bytes, { stream: true }));
  }
  if (decoder !== undefined) yield Buffer.from(decoder.decode());
}

function findMark(start: Buffer): (typeof BYTE_ORDER_MARKS)[number] | undefined {
  return BYTE_ORDER_MARKS.find(({ mark }) => start.subarray(0, mark.length).equals(mark));
}
