import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { escapeControls, safeJson } from '../../../src/base/text/safe-json.js';

describe('safe JSON', () => {
  it('escapes what a terminal or a line reader obeys', () => {
    expect(safeJson('\u001b\u007f\u0085\u009b\u202e\u2066\u2028\u2029é')).toBe(
      '"\\u001b\\u007f\\u0085\\u009b\\u202e\\u2066\\u2028\\u2029é"',
    );
    expect(escapeControls('{"a":"\u009b"}')).toBe('{"a":"\\u009b"}');
  });

  it('has the value of ordinary JSON, without controls, for every value (claim: terminal-clean)', () => {
    const texts = fc.string({ unit: 'binary' });
    fc.assert(
      fc.property(fc.dictionary(texts, texts, { maxKeys: 3 }), (value) => {
        const json = safeJson(value);
        expect(json).not.toMatch(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u);
        expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });
});
