import { expect, it } from 'vitest';
import { isShown } from '../../../src/remote/tmux/is-shown.js';

it.each([
  ['**Done.** I wrote `a.js`:\n\n- one', 'Done. I wrote a.js:\n\n • one', true],
  ['A long answer that the screen shows in part', 'A long answer', true],
  ['Ok', 'Okay, the next text', false],
  ['The first text', 'Another text', false],
  ['The first text', '', false],
])('%j on the screen as %j', (text, onScreen, isWanted) => {
  expect(isShown(text, onScreen)).toBe(isWanted);
});
