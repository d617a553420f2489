import { describe, expect, it } from 'vitest';
import { TrigramFilter } from '../../../src/step/prompt/trigram-filter.js';

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
