import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isCliCommand, toPaste } from '../../../src/remote/tmux/tmux-text.js';

it.each([
  '/quit',
  '  /quit',
  '\n\t/quit',
  '\u0007/quit',
  '\u001b/quit',
  '\u200b/quit',
  '\u200e \u202a/quit',
  '\ufeff/quit',
  '\u2066/quit',
])('%j is a command of the CLI', (text) => {
  expect(isCliCommand(text)).toBe(true);
});

it.each(['quit', 'a /quit', '.\n/quit', '\u200d/quit'])('%j is a prompt', (text) => {
  expect(isCliCommand(text)).toBe(false);
});

it('keeps text, emoji and line ends, and ends with a blank', () => {
  expect(toPaste('a\r\nb\rc\t👩‍👩‍👧 ! \\')).toBe('a\nb\nc\t👩‍👩‍👧 ! \\ ');
});

it('leaves no character that ends a paste or that the CLI removes', () => {
  const controls = /[^\P{Cc}\t\n]|[\u200B\u200E\u200F\u202A-\u202E\u2066-\u2069\uFEFF]/u;
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(toPaste(text)).not.toMatch(controls);
    }),
  );
});
