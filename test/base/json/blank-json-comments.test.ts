import { describe, expect, it } from 'vitest';
import { blankJsonComments } from '../../../src/base/json/blank-json-comments.js';

describe('comments in JSON', () => {
  it('become blanks, and the rest keeps its position', () => {
    const text = '{ // note\n  "url": "http://x" /* y */ }';
    const json = blankJsonComments(text);
    expect(json).toHaveLength(text.length);
    expect(json.indexOf('"url"')).toBe(text.indexOf('"url"'));
    expect(JSON.parse(json)).toEqual({ url: 'http://x' });
  });
});
