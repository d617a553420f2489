import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createDiff } from '../../../src/base/fs/diff.js';
import { addFiles, makeFolder } from '../../fixtures/cli/support.js';

describe('a diff', () => {
  it('has the form that git writes', () => {
    expect(createDiff('src/a.ts', 'one\ntwo\nthree\n', 'one\n2\nthree\n')).toBe(
      '--- a/src/a.ts\n+++ b/src/a.ts\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n',
    );
  });

  it('names /dev/null for a missing file', () => {
    expect(createDiff('a', null, 'x\n')).toBe('--- /dev/null\n+++ b/a\n@@ -0,0 +1,1 @@\n+x\n');
    expect(createDiff('a', 'x\n', null)).toBe('--- a/a\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-x\n');
  });

  it('shows three lines around each change', () => {
    const lines = Array.from({ length: 20 }, (_, index) => `${index}\n`);
    const diff = createDiff('a', lines.join(''), lines.with(10, 'ten\n').join(''));
    expect(diff).toContain('@@ -8,7 +8,7 @@\n 7\n 8\n 9\n-10\n+ten\n 11\n 12\n 13\n');
  });

  it.each([
    ['equal contents', 'same\n', 'same\n'],
    ['an empty new file', null, ''],
    ['no file at all', null, null],
    ['binary content before', Buffer.from([0x61, 0, 0x62]), 'text\n'],
    ['binary content after', 'text\n', Buffer.from([0xff, 0xfe, 0x61])],
    ['very large contents', 'x', 'x\n'.repeat(600_000)],
  ])('is undefined for %s', (_what, before, after) => {
    expect(createDiff('a', before, after)).toBeUndefined();
  });

  it('can be applied by git for any names and line ends', () => {
    const files = [
      ['plain.txt', 'a\nb\nc\n', 'a\nB\nc\n'],
      ['no newline.txt', 'a\nb', 'a\nb\nc'],
      ['gains newline.txt', 'a', 'a\n'],
      ['crlf.txt', 'a\r\nb\r\n', 'a\r\nB\r\n'],
      ['deep/new.txt', null, 'new\n'],
      ['gone.txt', 'gone\n', null],
      ['日本語 é.txt', 'a\n', 'b\n'],
      ['-dash.txt', 'a\n', 'b\n'],
      ['tab\there.txt', 'a\n', 'b\n'],
      ['line\nend.txt', 'a\n', 'b\n'],
      ['quo"te\\slash.txt', 'a\n', 'b\n'],
      ['dashes.txt', '-- a\n++ b\n', '++ a\n-- b\n'],
    ] as const;
    const folder = makeFolder();
    for (const [name, before] of files) if (before !== null) addFiles(folder, { [name]: before });
    const patch = files.map(([name, before, after]) => createDiff(name, before, after)).join('');
    execFileSync('git', ['apply', '-p1', '-'], { cwd: folder, input: patch });
    const found = files.map(([name]) => {
      const path = join(folder, name);
      return existsSync(path) ? readFileSync(path, 'utf8') : null;
    });
    expect(found).toEqual(files.map(([, , after]) => after));
  });
});
