import { describe, expect, it } from 'vitest';
import { findAtWord } from '../../../src/step/prompt/at-words.js';

/** Finds all words of a text, each search from the end of the word before. */
function wordsOf(text: string): string[] {
  const paths: string[] = [];
  for (let word = findAtWord(text, 0); word !== undefined; word = findAtWord(text, word.end)) {
    paths.push(word.path);
  }
  return paths;
}

describe('the @words of a prompt', () => {
  it.each([
    ['see @note.md now', ['note.md']],
    ['(@note.md), please', ['note.md']],
    ['@a,b @c;d @e!f @g?h', ['a', 'c', 'e', 'g']],
    ['@a[0] @b{x} @c(y)', ['a', 'b', 'c']],
    ['one\n@two\tthree @four\r\n', ['two', 'four']],
    ['user@note.md.', ['note.md']],
    ['@note.md.\nNext.', ['note.md']],
    ['@./a/../b.c.d', ['./a/../b.c.d']],
    ['@...end', ['...end']],
    ['@src/**/x.ts', ['src/**/x.ts']],
    ['@first@second @third', ['first@second', 'third']],
    ["it's @quoted' here", ["quoted'"]],
    ['@日本語/ü.txt', ['日本語/ü.txt']],
    ['no at all', []],
    ['', []],
  ])('of %j end at blanks, brackets and punctuation', (text, words) => {
    expect(wordsOf(text)).toEqual(words);
  });

  it.each([
    ['@my\\ file.txt', ['my file.txt']],
    ['@a\\,b\\(c\\)', ['a,b(c)']],
    ['@a\\\\b', ['a\\b']],
    ['@end\\', ['end\\']],
    ['@a\\\nb', ['a\\']],
  ])('of %j may contain any character after a backslash but a line end', (text, words) => {
    expect(wordsOf(text)).toEqual(words);
  });

  it.each([
    ['@"my file.txt" now', ['"my file.txt"']],
    ['@dir/"a, b"/c.txt', ['dir/"a, b"/c.txt']],
    ['"@note.md" and "more"', ['note.md" and "more"']],
    ['"@note.md"', ['note.md"']],
    ['@a"b c', ['a"b']],
    ['@"over\nlines"', ['"over\nlines"']],
  ])('of %j contain the whole quoted part', (text, words) => {
    expect(wordsOf(text)).toEqual(words);
  });

  it.each(['\\@note.md', '@', 'a @ b', '@, @) @\n', '@.', 'ends with @. And goes on', 'a\\\\@b'])(
    'are not found in %j',
    (text) => {
      expect(wordsOf(text)).toEqual([]);
    },
  );

  it('have their index in the text', () => {
    const text = 'x @one, y@two.';
    const first = findAtWord(text, 0);
    expect(first).toEqual({ index: 2, end: 6, path: 'one' });
    expect(findAtWord(text, 6)).toEqual({ index: 9, end: 13, path: 'two' });
    expect(findAtWord(text, 13)).toBeUndefined();
  });
});
