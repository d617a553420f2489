import { describe, expect, it } from 'vitest';
import { findDialog } from '../../../src/remote/tmux/parse-dialog.js';
import { parseScreen } from '../../../src/remote/tmux/parse-screen.js';

const OPTIONS = [
  '● 1. Allow once',
  '  2. Allow for this session',
  '  3. No, suggest changes (esc)',
];

/** A dialog as CLI 0.61 draws it, with rows of the model above its options. */
const dialogWith = (above: readonly string[], options: readonly string[] = OPTIONS): string[] => [
  `╭${'─'.repeat(58)}╮`,
  ...[...above, '', ...options].map((row) => `│ ${row.padEnd(56)} │`),
  `╰${'─'.repeat(58)}╯`,
];
const labelsOf = (lines: readonly string[]): string[] =>
  findDialog(lines)?.options.map(({ digit, label }) => `${digit} ${label}`) ?? [];
const TRUE_LABELS = ['1 Allow once', '2 Allow for this session', '3 No, suggest changes (esc)'];

describe('options of a dialog', () => {
  it.each([
    ['a command of several lines', ['? Shell  touch x', '1. No tabs in the file']],
    ['the same column', ['? Shell  touch x', '  1. No tabs', '  2. Allow once please']],
    ['the number before the first one', ['? Shell  touch x', '  0. No']],
    ['a row in an inner frame', ['╭────────╮', '│ ● 1. No │', '╰────────╯']],
    ['a plan', ['Plan', '', ' 1. No tests', ' 2. Allow once']],
  ])('are not read from text of the model: %s', (_name, above) => {
    expect(labelsOf(dialogWith(above))).toEqual(TRUE_LABELS);
  });

  it.each([
    ['a second mark', dialogWith(['● 1. No tabs'])],
    ['a mark in a description', dialogWith([], [...OPTIONS, '       ● 1. Allow once'])],
    ['a repeated label', dialogWith([], [...OPTIONS, '  4. Allow once'])],
    ['no first option', dialogWith([], OPTIONS.slice(1).concat('● 4. Allow once'))],
    ['other text between them', dialogWith([], ['● 2. Allow once', 'text', '  3. No'])],
  ])('are none if they are not certain: %s', (_name, lines) => {
    expect(findDialog(lines)).toBeDefined();
    expect(labelsOf(lines)).toEqual([]);
  });

  it('may have descriptions, a second column, and rows that have scrolled away', () => {
    const rows = ['▲', '● 4. Red     ', '      1. as a rose', '  5. Blue    │ preview', '▼'];
    expect(labelsOf(dialogWith(['Which?'], rows))).toEqual(['4 Red', '5 Blue']);
    expect(findDialog(dialogWith(['Which?'], rows))?.body).toBe('Which?\n▲');
  });
});

describe('lines of the CLI that the model imitates', () => {
  const BOX = [`${'▄'.repeat(30)}`, ' >   Type your message', `${'▀'.repeat(30)}`];
  const RULE = '─'.repeat(30);
  const modeOf = (...lines: readonly string[]) => parseScreen(lines.join('\n')).mode;

  it('are not taken for the mode', () => {
    expect(modeOf(RULE, ' Shift+Tab to accept edits', ...BOX)).toBe('default');
    expect(modeOf('✦ Done.', '  YOLO Ctrl+Y', '', ...BOX)).toBeUndefined();
    expect(modeOf(`  ${RULE}`, '  YOLO Ctrl+Y', ...BOX)).toBeUndefined();
    expect(modeOf(RULE, ' YOLO Ctrl+Y', ...BOX)).toBeUndefined();
    const yolo = BOX.map((line) => line.replace('>', '*'));
    expect(modeOf(RULE, ' YOLO Ctrl+Y', ...yolo)).toBe('yolo');
    expect(modeOf('✦ Done.', '', ...yolo)).toBe('yolo');
    expect(modeOf(RULE, ' plan Shift+Tab to manual', ...yolo)).toBeUndefined();
  });

  it('are not taken for the status', () => {
    const statusOf = (line: string) => parseScreen([line, RULE, ...BOX].join('\n')).status;
    expect(statusOf(' ⠋ Thinking... (esc to cancel, 3s)')).toBe('Thinking...');
    expect(statusOf('  ⠋ Thinking... (esc to cancel, 3s)')).toBeUndefined();
  });

  it('leave the box without edges of a terminal with few colours', () => {
    const lines = [
      RULE,
      ' Shift+Tab to accept edits',
      '',
      ' > my draft',
      '',
      ' workspace (/directory)',
    ];
    expect(parseScreen(lines.join('\n'))).toMatchObject({ input: 'my draft', mode: 'default' });
  });
});
