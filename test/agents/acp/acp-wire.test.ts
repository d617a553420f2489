import { describe, expect, it } from 'vitest';
import { readLocations, readTextBlock, toList } from '../../../src/agents/acp/acp-wire.js';

describe('a field of an update', () => {
  it('is read as text if its type is text or missing', () => {
    expect(readTextBlock({ type: 'text', text: 'x' })).toBe('x');
    expect(readTextBlock({ text: 'x' })).toBe('x');
    for (const block of [
      { type: 'image', text: 'x' },
      { type: 'text' },
      'x',
      null,
      [],
      undefined,
    ]) {
      expect(readTextBlock(block)).toBeUndefined();
    }
  });

  it('may give paths as strings or as objects', () => {
    expect(readLocations(['/a', { path: '/b', line: 1 }, { uri: 'c' }, 7, null])).toEqual([
      '/a',
      '/b',
    ]);
    expect(readLocations({ path: '/a' })).toEqual(['/a']);
    expect(readLocations(undefined)).toEqual([]);
  });

  it('may be a list or a single element', () => {
    expect([toList(undefined), toList(null), toList([1]), toList('x')]).toEqual([
      [],
      [],
      [1],
      ['x'],
    ]);
  });
});
