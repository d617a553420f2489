import { describe, expect, it } from 'vitest';
import {
  pasteIntoInput,
  showsText,
  submitInput,
} from '../../../../src/remote/drivers/tmux/enter-text.js';
import { parseScreen } from '../../../../src/remote/tmux/parse-screen.js';
import { skipSleeps } from '../../skip-sleeps.js';
import { ASKING, boxOf, createPane, dialogOf, READY, WORKING } from '../../tmux/scripted-pane.js';

const EMPTY = { text: boxOf('  Type your message'), title: READY };
const DIALOG = { text: dialogOf(['? Shell  ls', ''], ['Allow once', 'No (esc)']), title: ASKING };

describe('pasteIntoInput', () => {
  it('waits for the input box, and until the box shows the text alone', async () => {
    skipSleeps();
    const { pane, pasted, flashes, onKey } = createPane(EMPTY);
    flashes.push({ text: '' }, { text: '' });
    onKey('paste', { text: boxOf('fix it!'), title: READY });
    await pasteIntoInput(pane, 'fix it!');
    expect(pasted).toEqual(['fix it! ']);
  });

  it.each([
    ['the pane shares its keys', { ...EMPTY, isSynchronized: true }, 'synchronize-panes'],
    ['a dialog is open', DIALOG, 'A dialog is open at the desk'],
    ['the CLI has gone', { text: '', isDead: true }, 'does not take input'],
    ['no box comes', { text: 'a new layout' }, 'does not take input'],
    ['the box takes shell commands', { text: boxOf('  Type your shell command', '!') }, 'shell'],
    [
      'vim takes keys for commands',
      { text: boxOf("  Press 'i' for INSERT mode.") },
      'NORMAL mode of vim',
    ],
    ['a person has a draft there', { text: boxOf('my draft') }, 'draft'],
  ])('pastes nothing if %s', async (_name, shown, why) => {
    skipSleeps();
    const { pane, pasted } = createPane(shown);
    await expect(pasteIntoInput(pane, 'fix it')).rejects.toThrow(why);
    expect(pasted).toEqual([]);
  });

  it('gives up when another text stands still in the box, and not while it still changes', async () => {
    const slept = skipSleeps();
    const { pane, onKey, state, show } = createPane(EMPTY);
    onKey('paste', { text: boxOf('f'), title: READY });
    let looks = 0;
    state.onLook = () => {
      looks++;
      if (looks > 1 && looks < 200) show({ text: boxOf(`fix ${looks} abc`), title: READY });
    };
    await expect(pasteIntoInput(pane, 'fix it')).rejects.toThrow('a person may be typing');
    // 200 looks take 8 seconds, in which the text has changed, and 3 seconds follow in which it has not.
    expect(slept.length).toBeGreaterThan(260);
  });
});

describe('submitInput', () => {
  it('presses Enter on the text alone, and in no dialog', async () => {
    skipSleeps();
    const { pane, keys, show, onKey } = createPane(DIALOG);
    await expect(submitInput(pane, 'fix it')).rejects.toThrow('no longer holds the text');
    show({ text: boxOf('fix it'), title: ASKING });
    await expect(submitInput(pane, 'fix it')).rejects.toThrow('no longer holds the text');
    show({ text: boxOf('fix it and more'), title: READY });
    await expect(submitInput(pane, 'fix it')).rejects.toThrow('no longer holds the text');
    expect(keys).toEqual([]);
    show({ text: boxOf('fix it'), title: 'host' });
    onKey('Enter', EMPTY);
    await submitInput(pane, 'fix it');
    expect(keys).toEqual(['Enter']);
  });

  it('presses Enter again after a new line, and takes a proof for the end', async () => {
    skipSleeps();
    const { pane, keys, onKey, show } = createPane({ text: boxOf('fix it'), title: READY });
    onKey('Enter', { text: boxOf('fix it\n '), title: READY });
    await expect(submitInput(pane, 'fix it', () => keys.length === 3)).resolves.toBeUndefined();
    expect(keys.length).toBeGreaterThanOrEqual(3);
    show({ text: boxOf('fix it'), title: READY });
    keys.length = 0;
    onKey('Enter', { text: boxOf('fix it'), title: WORKING });
    await submitInput(pane, 'fix it', () => keys.includes('Enter'));
    expect(keys).toEqual(['Enter']);
  });

  it('gives up on a CLI that does not answer, without a second Enter', async () => {
    skipSleeps();
    const { pane, keys } = createPane({ text: boxOf('fix it'), title: READY });
    await expect(submitInput(pane, 'fix it')).rejects.toThrow('The CLI does not answer');
    expect(keys).toEqual(['Enter', '.']);
  });
});

describe('showsText', () => {
  const isShown = (input: string, text: string, sign = '>'): boolean =>
    showsText(parseScreen(boxOf(input, sign)), text);

  it.each([
    ['fix it', 'fix it', true],
    ['fix\nit now', 'fix it now', true],
    ['cafe\u0301', 'caf\u00e9', true],
    ['fix it, please', 'fix it', false],
    ['fix', 'fix it', false],
    ['[Pasted Text: 120 lines]', 'a long text', true],
    ['[Pasted Text: 120 lines] and more', 'a long text', false],
    ['  Type your message', 'Type your message', false],
  ])('%j shows %j: %s', (input, text, wanted) => {
    expect(isShown(input, text)).toBe(wanted);
  });

  it('takes a part of a long text that has scrolled for the whole, and no text in shell mode', () => {
    const rows = Array.from({ length: 12 }, (_, row) => `row ${row}`);
    expect(isShown(rows.slice(4).join('\n'), rows.join('\n'))).toBe(true);
    expect(isShown(rows.slice(6).join('\n'), rows.join('\n'))).toBe(false);
    expect(isShown(rows.slice(4).join('\n').replace('5', '55'), rows.join('\n'))).toBe(false);
    expect(isShown('ls', 'ls', '!')).toBe(false);
    expect(showsText(parseScreen('no box'), 'no box')).toBe(false);
  });
});
