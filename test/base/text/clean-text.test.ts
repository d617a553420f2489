import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cleanLine, cleanText } from '../../../src/base/text/clean-text.js';

const ESC = '\u001b';
const OBEYED = /(?![\n\t])[\p{Cc}\p{Bidi_Control}\p{Cs}\u2028\u2029]/u;

describe('a cleaned text', () => {
  it.each([
    ['colours', `${ESC}[1;31mred${ESC}[0m`, 'red'],
    ['CSI of C1', 'a\u009b2Jb', 'ab'],
    ['a title (OSC 0)', `a${ESC}]0;title\u0007b`, 'ab'],
    ['a title with ST', `a${ESC}]2;title${ESC}\\b`, 'ab'],
    ['a link (OSC 8)', `${ESC}]8;;http://x${ESC}\\here${ESC}]8;;${ESC}\\`, 'here'],
    ['the clipboard (OSC 52)', `a${ESC}]52;c;ZXZpbA==\u0007b`, 'ab'],
    ['the clipboard of C1', 'a\u009d52;c;ZXZpbA==\u009cb', 'ab'],
    ['DCS', `a${ESC}P1$r0m${ESC}\\b`, 'ab'],
    ['APC', `a${ESC}_Gf=100${ESC}\\b`, 'ab'],
    ['PM', `a${ESC}^secret${ESC}\\b`, 'ab'],
    ['SOS', `a${ESC}Xsecret${ESC}\\b`, 'ab'],
    ['a reset', `a${ESC}cb`, 'ab'],
    ['a charset', `a${ESC}(0b`, 'ab'],
    ['an incomplete sequence, which stays as text', `a${ESC}]0;title`, 'a0;title'],
    ['a sequence inside of a sequence', `a${ESC}]${ESC}[31m0;x\u0007b`, 'a0;xb'],
    ['carriage returns, backspaces and DEL', 'ok\rno\b\u007f', 'okno'],
    ['marks that reorder a line', 'a\u202egnp\u2066b\u2069\u200e\u200f\u061cc', 'agnpbc'],
    ['half of a pair', 'a\ud83db', 'a\ufffdb'],
  ])('is rid of %s', (_what, text, expected) => {
    expect(cleanText(text)).toBe(expected);
  });

  it('keeps lines, tabs, and every letter and sign', () => {
    const text = 'a\tb\nc é 日本 עברית 👩‍👩‍👧 [31m';
    expect(cleanText(text)).toBe(text);
  });

  it('has no character that a terminal obeys, for any text in any pieces (claim: terminal-clean)', () => {
    const unit = fc.oneof(
      fc.integer({ min: 0, max: 0xff }).map((code) => String.fromCharCode(code)),
      fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)),
      fc.constantFrom(
        `${ESC}[`,
        `${ESC}]52;c;`,
        `${ESC}\\`,
        `${ESC}P`,
        '\u009b',
        '\u009d',
        '\u202e',
      ),
    );
    const texts = fc.array(unit, { maxLength: 60 }).map((units) => units.join(''));
    fc.assert(
      fc.property(texts, fc.nat(60), (text, cut) => {
        const pieces = [text.slice(0, cut), text.slice(cut)];
        expect(cleanText(text)).not.toMatch(OBEYED);
        expect(pieces.map(cleanText).join('')).not.toMatch(OBEYED);
        expect(cleanLine(text)).not.toMatch(OBEYED);
        expect(cleanText(cleanText(text))).toBe(cleanText(text));
      }),
      { numRuns: 400 },
    );
  });

  it.each([`${ESC}]`, '\u009d', `${ESC}[`, `${ESC}]${'a'.repeat(999)}`])(
    'is made in one pass over a million unfinished sequences of %j',
    (start) => {
      const text = start.repeat(Math.ceil(1_000_000 / start.length));
      expect(cleanText(text)).not.toMatch(OBEYED);
    },
  );
});

it('a cleaned line is one line of at most 120 characters', () => {
  expect(cleanLine(' a\n\tb ')).toBe('a b');
  expect(cleanLine('x'.repeat(200))).toBe(`${'x'.repeat(119)}…`);
});
