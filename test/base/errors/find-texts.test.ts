import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createFinder, joinSpans } from '../../../src/base/errors/find-texts.js';

describe('the finder of many texts', () => {
  it('finds what a search for each of them finds', () => {
    const texts = fc.array(
      fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 1, maxLength: 12 }),
    );
    const long = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 200 });
    fc.assert(
      fc.property(texts, long, (wanted, text) => {
        const covered = new Set<number>();
        for (const one of wanted) {
          for (let at = text.indexOf(one); at !== -1; at = text.indexOf(one, at + 1)) {
            for (let index = at; index < at + one.length; index++) covered.add(index);
          }
        }
        const found = joinSpans(createFinder(wanted)(text)).flatMap(([start, end]) => {
          return Array.from({ length: end - start }, (_, index) => start + index);
        });
        expect(found).toEqual([...covered].sort((a, b) => a - b));
      }),
    );
  });

  it('keeps one span for a text that repeats itself', () => {
    expect(createFinder(['a'.repeat(9)])('a'.repeat(100_000))).toHaveLength(1);
    expect(createFinder(['a'])('a'.repeat(100_000))).toHaveLength(1);
  });

  it('finds nothing without texts', () => {
    expect(createFinder([])('text')).toEqual([]);
  });
});
