import { expect, it } from 'vitest';
import { widthOf } from '../../../src/cli/output/fit-width.js';
import { cleanPainted, createPaint } from '../../../src/cli/output/paint.js';

it('a painted text has no width but that of its letters', () => {
  const { bold, red } = createPaint(true);
  expect(widthOf(bold(red('日本')))).toBe(4);
});

it('a text that imitates the colours of the command is not painted', () => {
  const { red } = createPaint(true);
  const clean = (text: string): string => text.replaceAll('\u001b', '');
  expect(cleanPainted(red('\u001b[1234;5678;1234;5678;31mx'), clean)).toBe(
    '\u001b[31m[1234;5678;1234;5678;31mx\u001b[39m',
  );
});
