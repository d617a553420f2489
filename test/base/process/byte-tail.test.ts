import { describe, expect, it } from 'vitest';
import { ByteTail } from '../../../src/base/process/byte-tail.js';

function tailOf(maxBytes: number, ...pieces: readonly string[]): string {
  const tail = new ByteTail(maxBytes);
  for (const piece of pieces) tail.push(Buffer.from(piece));
  return tail.toString();
}

describe('a tail of bytes', () => {
  it('is everything, where that is no more than it holds', () => {
    expect(tailOf(10, '')).toBe('');
    expect(tailOf(10, 'ab\ncd\n', 'efgh')).toBe('ab\ncd\nefgh');
  });

  it('begins with a line where the beginning is lost', () => {
    expect(tailOf(10, 'ab\ncd\n', 'efghi')).toBe('cd\nefghi');
    expect(tailOf(4, ...'one\ntwo\nthree\nx\n')).toBe('x\n');
    expect(tailOf(4, 'one\ntwo\nthree\nx\n')).toBe('x\n');
  });

  it('begins anywhere where no line is short enough', () => {
    expect(tailOf(4, 'abcdefghijkl')).toBe('ijkl');
  });

  it('can be emptied', () => {
    const tail = new ByteTail(4);
    tail.push(Buffer.from('ab'));
    tail.clear();
    expect(tail.toString()).toBe('');
  });
});
