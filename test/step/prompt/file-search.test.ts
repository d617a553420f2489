import { describe, expect, it } from 'vitest';
import {
  createEventLoopYield,
  type EventLoopYield,
} from '../../../src/base/process/yield-to-event-loop.js';
import { createFileSearch, TrigramFilter } from '../../../src/step/prompt/file-search.js';

/** Reference implementation of the search as a regular expression. */
function expressionFor(word: string): RegExp {
  const literal = word.replace(/[.+^${}()|[\]\\?]/g, '\\$&').replaceAll('*', '.*');
  return new RegExp(`(^|/)[^/]*${literal}[^/]*$`, 'is');
}

describe('a search in paths', () => {
  it('finds exactly the words that its pattern matches', async () => {
    const paths = ['a/b', 'ab/A', 'b', 'a/a/b', 'ba/bb'];
    const letters = ['a', 'B', '/', '*'];
    const words = letters.flatMap((a) =>
      letters.flatMap((b) => letters.flatMap((c) => letters.map((d) => a + b + c + d))),
    );
    for (const path of paths) {
      const search = await createFileSearch([path], createEventLoopYield());
      for (const word of [...letters, ...words]) {
        const expected = expressionFor(word).test(path);
        expect([path, word, await search.finds(word)]).toEqual([path, word, expected]);
      }
    }
  });

  it('finds no word if there are no files', async () => {
    const search = await createFileSearch([], createEventLoopYield());
    expect(await search.finds('*')).toBe(false);
  });

  it('does not search the paths for words that the filter excludes', async () => {
    let work = 0;
    const eventLoop: EventLoopYield = {
      signal: undefined,
      spend: async (more) => {
        work += more;
      },
    };
    const paths = Array.from({ length: 3000 }, (_, at) => `folder-${at % 30}/component-${at}.ts`);
    const search = await createFileSearch(paths, eventLoop);
    expect(work).toBe(paths.join('').length);
    let found = 0;
    for (let at = 0; at < 30_000; at++) {
      if (await search.finds(`host${at}.example.org`)) found++;
    }
    expect(found).toBe(0);
    expect(work).toBe(paths.join('').length);
    expect(await search.finds('component-2999')).toBe(true);
    expect(work).toBe(paths.join('').length + paths.length);
  });
});

describe('a filter of texts', () => {
  const filter = new TrigramFilter();
  filter.add('src/components');
  filter.add('note.md');
  filter.add('日本語');

  it.each(['src', 'src/components', 'ote.m', '日本語', 'co', '', 'mpo'])('lets %j pass', (word) => {
    expect(filter.mayContain(word)).toBe(true);
  });

  it.each(['example.org', 'notes', 'srcs', '日本人'])('stops %j', (word) => {
    expect(filter.mayContain(word)).toBe(false);
  });
});
