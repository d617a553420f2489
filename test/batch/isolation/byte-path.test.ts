import { describe, expect, it } from 'vitest';
import {
  describePath,
  foldersAbove,
  isAtOrBelow,
  joinNames,
  onDisk,
  splitNames,
  toBytePath,
} from '../../../src/batch/isolation/byte-path.js';

describe('a byte path', () => {
  it('keeps any file name intact for git, for the disk and for messages', () => {
    const path = toBytePath('sub/ü\n"x"');
    expect(splitNames(joinNames([path, 'b\xff']))).toEqual([path, 'b\xff']);
    expect(String(onDisk('/top', path))).toBe('/top/sub/ü\n"x"');
    expect([...onDisk('/r', 'b\xff')].at(-1)).toBe(0xff);
    expect([describePath(path), describePath('b\xff')]).toEqual(['sub/ü\n"x"', 'b\\xff']);
  });

  it('lists its parent folders', () => {
    expect(foldersAbove('a/b/c')).toEqual(['a', 'a/b']);
    expect(foldersAbove('a')).toEqual([]);
    expect(['a', 'a/b', 'ab', 'b'].map((path) => isAtOrBelow('a', path))).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });
});
