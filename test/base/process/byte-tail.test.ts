import { describe, expect, it } from 'vitest';
import { ByteTail } from '../../../src/base/process/byte-tail.js';

function tailOf(maxBytes: number, ...pieces: readonly string[]): string {
  const tail = new ByteTail(maxBytes);
  for (const piece of pieces) tail.push(Buffer.from(piece));
  return tail.toString();
}

describe('ByteTail', () => {
  it('keeps everything up to its size', () => {
    expect(tailOf(10, '')).toBe('');
    expect(tailOf(10, 'ab\ncd\n', 'efgh')).toBe('ab\ncd\nefgh');
  });

  it('begins with a whole line if earlier bytes were dropped', () => {
    expect(tailOf(10, 'ab\ncd\n', 'efghi')).toBe('cd\nefghi');
    expect(tailOf(4, ...'one\ntwo\nthree\nx\n')).toBe('x\n');
    expect(tailOf(4, 'one\ntwo\nthree\nx\n')).toBe('x\n');
  });

  it('begins in the middle of a line that is longer than its size', () => {
    expect(tailOf(4, 'abcdefghijkl')).toBe('ijkl');
  });

  it('is empty after clear()', () => {
    const tail = new ByteTail(4);
    tail.push(Buffer.from('ab'));
    tail.clear();
    expect(tail.toString()).toBe('');
  });
});
