import { describe, expect, it } from 'vitest';
import { parseNames } from '../../../src/base/git/git-names.js';

describe('names from git', () => {
  it('are read as UTF-8 where they are UTF-8, and told apart where they are not', () => {
    const names = ['a.txt', '', 'ü 日本.txt', 'line\nend'].map((name) => {
      return Buffer.from(name).toString('latin1');
    });
    expect(parseNames([...names, 'bad\xff', 'bad\xfe'])).toEqual({
      readable: ['a.txt', 'ü 日本.txt', 'line\nend'],
      unreadable: ['bad\\xff', 'bad\\xfe'],
    });
  });
});
