import { describe, expect, it } from 'vitest';
import { plainOutput, revealControls, revealInLine } from '../../src/web/reveal-controls.js';

describe('revealControls', () => {
  it.each([
    ['a right-to-left override', 'photo\u202Egpj.exe', 'photo[U+202E]gpj.exe'],
    ['isolates and marks', '\u2066a\u2069\u200F\u061C', '[U+2066]a[U+2069][U+200F][U+061C]'],
    ['line and paragraph separators', 'a\u2028b\u2029c', 'a[U+2028]b[U+2029]c'],
    ['control characters', 'a\u0000b\u001bc\rd\u0001', 'a[NUL]b[ESC]c[CR]d[U+0001]'],
    ['those after ASCII', '\u007f\u0085\ufeff', '[U+007F][U+0085][U+FEFF]'],
  ])('shows %s', (_what, text, shown) => {
    expect(revealControls(text)).toBe(shown);
  });

  it('keeps all other characters', () => {
    const text = 'tab\tline\nعربى 日本語 👩‍👩‍👧 é ‌';
    expect(revealControls(text)).toBe(text);
  });

  it('also shows line ends and tabs in a name (revealInLine)', () => {
    expect(revealInLine('a\nb\r\nc\td\u202E')).toBe('a↵b↵c⇥d[U+202E]');
  });
});

describe('plainOutput', () => {
  it('removes terminal sequences', () => {
    const written = '\u001b[1;31mred\u001b[0m \u001b]8;;http://x\u0007link\u001b]8;;\u0007\u001b(B';
    expect(plainOutput(written)).toBe('red link');
  });

  it('turns carriage returns into line feeds', () => {
    expect(plainOutput('10 %\r20 %\r\ndone\n')).toBe('10 %\n20 %\ndone\n');
  });
});
