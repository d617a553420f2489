import { describe, expect, it } from 'vitest';
import { sha256 } from '../../../src/base/fs/fingerprint.js';
import { mapPaths, replaceProject } from '../../../src/sessions/projects/map-paths.js';

const toTree = new Map([['/a/repo', '/t/tree']]);
const map = (text: string, replacements = toTree) => {
  return mapPaths(Buffer.from(text), replacements).toString();
};

describe('paths in a session file', () => {
  it.each([
    ['{"p":"/a/repo"}', '{"p":"/t/tree"}'],
    ['{"p":"/a/repo/src/x.ts"}', '{"p":"/t/tree/src/x.ts"}'],
    [String.raw`{"p":"in\n/a/repo\nand /a/repo."}`, String.raw`{"p":"in\n/t/tree\nand /t/tree."}`],
    ['cd /a/repo && ls', 'cd /t/tree && ls'],
  ])('are replaced: %s', (text, expected) => {
    expect(map(text)).toBe(expected);
    expect(map(expected, new Map([['/t/tree', '/a/repo']]))).toBe(text);
  });

  it.each(['/a/repo-2', '/a/repo.git', '/a/repos', '/mnt/a/repo', '/a/repoä'])(
    'are left if they are part of another path: %s',
    (text) => expect(map(text)).toBe(text),
  );

  it('may have characters that JSON escapes or that patterns use', () => {
    const from = '/a/"x" (1)+\\ä';
    const text = JSON.stringify({ path: `${from}/y` });
    const mapped = map(text, new Map([[from, '/b/$&']]));
    expect(JSON.parse(mapped)).toEqual({ path: '/b/$&/y' });
  });

  it('leave damaged text as it is', () => {
    const damaged = Buffer.from([0xff, 0x00, 0xc3, 0x22]);
    expect(mapPaths(damaged, toTree)).toEqual(damaged);
  });

  it('are replaced together with the hash of the project', () => {
    const text = `{"projectHash":"${sha256('/a/repo')}"}`;
    expect(map(text, new Map(replaceProject('/a/repo', '/t/tree')))).toBe(
      `{"projectHash":"${sha256('/t/tree')}"}`,
    );
  });
});
