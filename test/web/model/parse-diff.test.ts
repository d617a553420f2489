import { describe, expect, it } from 'vitest';
import { createDiff } from '../../../src/base/fs/diff.js';
import { countChangedLines, parseDiff } from '../../../src/web/model/parse-diff.js';

function diffOf(before: string | null, after: string | null) {
  return parseDiff(createDiff('src/a.ts', before, after) ?? '');
}

describe('a diff', () => {
  it('is parsed with line numbers', () => {
    expect(diffOf('one\ntwo\nthree\n', 'one\n2\nthree\nfour\n')).toEqual([
      {
        heading: '',
        oldStart: 1,
        newStart: 1,
        lines: [
          { kind: 'context', text: 'one', oldNumber: 1, newNumber: 1 },
          { kind: 'removed', text: 'two', oldNumber: 2 },
          { kind: 'added', text: '2', newNumber: 2 },
          { kind: 'context', text: 'three', oldNumber: 3, newNumber: 3 },
          { kind: 'added', text: 'four', newNumber: 4 },
        ],
      },
    ]);
  });

  it('may have many hunks', () => {
    const lines = Array.from({ length: 60 }, (_, index) => `${index}\n`);
    const hunks = diffOf(lines.join(''), lines.with(5, 'five\n').with(50, 'fifty\n').join(''));
    expect(hunks.map(({ oldStart }) => oldStart)).toEqual([3, 48]);
    expect(countChangedLines(hunks)).toEqual({ added: 2, removed: 2 });
  });

  it('with lines that look like headers is parsed as one hunk', () => {
    const hunks = diffOf('-- a/x\n++ b/x\n@@ -1 +1 @@\n', '++ b/x\n-- a/x\n@@ -2 +2 @@\n');
    expect(hunks).toHaveLength(1);
    expect(countChangedLines(hunks)).toEqual({ added: 2, removed: 2 });
  });

  it('has a note where the newline at the end is missing', () => {
    const [hunk] = diffOf('a\nb', 'a\nb\n');
    expect(hunk?.lines.map(({ kind, text }) => `${kind}: ${text}`)).toEqual([
      'context: a',
      'removed: b',
      'note: No newline at end of file',
      'added: b',
    ]);
  });

  it('of a new or deleted file has only one side', () => {
    expect(countChangedLines(diffOf(null, 'a\nb\n'))).toEqual({ added: 2, removed: 0 });
    expect(countChangedLines(diffOf('a\nb\n', null))).toEqual({ added: 0, removed: 2 });
  });

  it('keeps carriage returns only where line ends changed', () => {
    const [same] = diffOf('a\r\nb\r\n', 'a\r\nc\r\n');
    expect(same?.lines.map(({ text }) => text)).toEqual(['a', 'b', 'c']);
    const [changed] = diffOf('a\r\nb\r\n', 'a\r\nb\n');
    expect(changed?.lines.map(({ text }) => text)).toEqual(['a\r', 'b\r', 'b']);
  });

  it.each([
    '',
    'garbage\nwithout hunks',
    '--- a/x\n+++ b/x\n',
    '@@ -1,9 +1,9 @@',
    '@@ -1 +1 @@\n-a\n+b',
    '@@ -1,2 +1,2 @@ function f() {\n a\nodd line',
  ])('that is incomplete does not throw: %j', (text) => {
    expect(() => parseDiff(text)).not.toThrow();
  });

  it('keeps the heading of a hunk', () => {
    expect(parseDiff('@@ -1 +1 @@ class A {\n-a\n+b\n')[0]?.heading).toBe('class A {');
  });

  it('of 200,000 lines is parsed in linear time', () => {
    const diff = `@@ -0,0 +1,200000 @@\n${'+x\n'.repeat(200_000)}`;
    expect(countChangedLines(parseDiff(diff))).toEqual({ added: 200_000, removed: 0 });
  });
});
