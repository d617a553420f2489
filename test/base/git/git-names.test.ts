import { describe, expect, it } from 'vitest';
import { parseNames } from '../../../src/base/git/git-names.js';

describe('file names printed by git', () => {
  it('are decoded as UTF-8, and escaped if they are not UTF-8', () => {
    const names = ['a.txt', '', 'ü 日本.txt', 'line\nend'].map((name) => {
      return Buffer.from(name).toString('latin1');
    });
    expect(parseNames([...names, 'bad\xff', 'bad\xfe'])).toEqual({
      readable: ['a.txt', 'ü 日本.txt', 'line\nend'],
      unreadable: ['bad\\xff', 'bad\\xfe'],
    });
  });
});
