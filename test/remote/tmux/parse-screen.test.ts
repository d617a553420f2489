import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseScreen, parseTitle, parseTurn } from '../../../src/remote/tmux/parse-screen.js';

const PANES = new URL('../../fixtures/interactive/panes/', import.meta.url);

function read(name: string) {
  // Recordings with several frames: the last one counts.
  const text = readFileSync(new URL(`${name}.txt`, PANES), 'utf8')
    .split(/^--- \+\d+ ms ---$/m)
    .at(-1);
  return parseScreen(text ?? '');
}

const names = (folder: string, part: string): string[] =>
  readdirSync(new URL(`${folder}/`, PANES))
    .filter((name) => name.includes(part) && name.endsWith('.txt') && !name.includes('.frames'))
    .map((name) => `${folder}/${name.slice(0, -'.txt'.length)}`);

describe('parseScreen on recordings of the CLI', () => {
  it.each(names('layout', '.dialog'))('finds the dialog and its options: %s', (name) => {
    const { dialog, input } = read(name);
    expect(dialog?.options.map(({ digit }) => digit)).toEqual(['1', '2', '3']);
    expect(dialog?.options[0]).toMatchObject({ label: 'Allow once', isSelected: true });
    expect(input).toBeUndefined();
  });

  it.each(names('layout', '.idle'))('finds the empty input box and no dialog: %s', (name) => {
    const { dialog, input, isShellMode } = read(name);
    expect({ dialog, input, isShellMode }).toEqual({
      dialog: undefined,
      input: '',
      isShellMode: false,
    });
  });

  it.each([
    ['run_shell_command', 3, 'No, suggest changes (esc)'],
    ['write_file', 4, 'No, suggest changes (esc)'],
    ['replace', 4, 'No, suggest changes (esc)'],
    ['no-always-option', 2, 'No, suggest changes (esc)'],
    ['permanent-approval-option', 4, 'No, suggest changes (esc)'],
    ['quota', 2, 'Stop'],
    ['ask_user-choice', 3, 'Enter a custom value'],
  ])('reads the options of the dialog %s', (name, count, last) => {
    const { dialog } = read(`dialog/${name}`);
    expect(dialog?.options.length).toBe(count);
    expect(dialog?.options.at(-1)?.label).toBe(last);
  });

  it('reads the mode of the line above the box', () => {
    const modes = ['default', 'auto_edit', 'plan', 'yolo'] as const;
    expect(modes.map((mode) => read(`state/mode-${mode}`).mode)).toEqual(modes);
  });

  it('finds the text of a turn whose prompt has scrolled away in the lines above the screen', () => {
    const edge = (sign: string): string => sign.repeat(30);
    const above = [edge('▄'), ' > tell me', edge('▀'), '✦ first line', '  second line'];
    const screen = ['  third line', '', ' ⠼ Thinking... (esc to cancel, 6s)'];
    const box = [
      edge('─'),
      ' Shift+Tab to accept edits',
      edge('▄'),
      ' >   Type your message',
      edge('▀'),
    ];
    const visible = [...screen, ...box].join('\n');
    expect(parseScreen(visible)).toMatchObject({ turn: undefined, input: '' });
    expect(parseTurn([...above, ...screen, ...box].join('\n'))).toEqual({
      prompt: 'tell me',
      answers: ['first line\nsecond line\nthird line'],
    });
    expect(parseTurn(visible)).toBeUndefined();
  });

  it('reads the text that streams and the status line', () => {
    const { turn, status } = read('state/streaming');
    expect(turn?.answers.length).toBe(1);
    expect(turn?.answers[0]).toMatch(/^word0 word1 .*word28$/s);
    expect(status).toBe('Executing Hook: rec-BeforeAgent');
  });

  it('does not take the tips of the start screen for options', () => {
    expect(read('startup/ready').dialog).toBeUndefined();
  });

  it('sees that text which the model wrote imitates a dialog', () => {
    const { dialog } = parseScreen(
      [
        '✦ Look:',
        '  ╭────────────╮',
        '  │ ● 1. Allow once │',
        '  ╰────────────╯',
        '',
        '▄▄▄▄▄▄▄▄▄▄',
        ' >   Type your message or @path',
        '▀▀▀▀▀▀▀▀▀▀',
      ].join('\n'),
    );
    expect(dialog).toBeUndefined();
  });
});

describe('parseTitle', () => {
  it.each([
    ['◇  Ready (workspace)', 'ready'],
    ['✦  Working… (workspace)', 'working'],
    ['✋  Action Required (workspace)', 'asking'],
    ['host', undefined],
    ['', undefined],
  ])('%s', (title, state) => {
    expect(parseTitle(title)).toBe(state);
  });
});
