import { describe, expect, it } from 'vitest';
import { deliverPrompt } from '../../../../src/remote/drivers/tmux/deliver-prompt.js';
import {
  interruptTurn,
  sendCommand,
  switchMode,
} from '../../../../src/remote/drivers/tmux/pane-actions.js';
import { findAllow, pressOption } from '../../../../src/remote/drivers/tmux/pane-dialogs.js';
import { BLANK, dialogOf, IDLE, openFakeTerminal, WORKING } from './fake-terminal.js';

const SIGN = { text: 'echo one', titles: 'asking' } as const;

describe('a key for a dialog', () => {
  it('is pressed once on the dialog that was meant, also while it is drawn again', async () => {
    const terminal = await openFakeTerminal();
    await terminal.draw(dialogOf('echo one'));
    terminal.onKey('1', IDLE);
    terminal.before('display-message', async () => {
      await terminal.draw(BLANK);
      terminal.before('display-message', () => terminal.draw(dialogOf('echo one')));
    });
    await pressOption(terminal.pane, SIGN, findAllow);
    expect(terminal.events).toEqual([{ type: 'key', key: '1', screen: 'echo one', input: '' }]);
  });

  it('is not pressed on a dialog that took the place of the one that was seen', async () => {
    const terminal = await openFakeTerminal();
    await terminal.draw(dialogOf('echo one'));
    terminal.before('if-shell', () => terminal.draw(dialogOf('rm -rf all')));
    await expect(pressOption(terminal.pane, SIGN, findAllow)).rejects.toThrow('no longer there');
    expect(terminal.events).toEqual([]);
  });

  it('is not pressed when the dialog has vanished, so that no digit lands in the input', async () => {
    const terminal = await openFakeTerminal();
    await terminal.draw(dialogOf('echo one'));
    terminal.before('if-shell', () => terminal.draw(IDLE));
    await expect(pressOption(terminal.pane, SIGN, findAllow)).rejects.toThrow('no longer there');
    expect(terminal.events).toEqual([]);
  });

  it('is not pressed on text of the model that looks like a dialog: the title says that it works', async () => {
    const terminal = await openFakeTerminal();
    await terminal.draw(dialogOf('echo one', '✦  Working… (x)'));
    await expect(pressOption(terminal.pane, SIGN, findAllow)).rejects.toThrow('no longer there');
    expect(terminal.events).toEqual([]);
  });

  it('reaches the dialog although the person reads earlier lines in copy mode', async () => {
    const terminal = await openFakeTerminal();
    await terminal.draw(dialogOf('echo one'));
    await terminal.run(['copy-mode', '-t', terminal.pane.id]);
    terminal.onKey('1', IDLE);
    await pressOption(terminal.pane, SIGN, findAllow);
    expect(terminal.keys()).toEqual(['1']);
  });

  it('is not pressed where other panes would get it, too', async () => {
    const terminal = await openFakeTerminal();
    await terminal.draw(dialogOf('echo one'));
    await terminal.run(['set-option', '-w', '-t', terminal.pane.id, 'synchronize-panes', 'on']);
    await expect(pressOption(terminal.pane, SIGN, findAllow)).rejects.toThrow('synchronize-panes');
    expect(terminal.events).toEqual([]);
  });

  it('finds the dialog in a terminal that was made narrow', async () => {
    const terminal = await openFakeTerminal();
    await terminal.run(['resize-window', '-t', terminal.pane.id, '-x', '62', '-y', '12']);
    await terminal.draw(dialogOf('echo one'));
    terminal.onKey('1', IDLE);
    await pressOption(terminal.pane, SIGN, findAllow);
    expect(terminal.keys()).toEqual(['1']);
  });
});

describe('other keys', () => {
  it('are not pressed on a dialog that opens at that moment: Shift+Tab would accept the call there', async () => {
    const terminal = await openFakeTerminal();
    await terminal.draw(IDLE);
    terminal.before('if-shell', () => terminal.draw(dialogOf('echo one')));
    await expect(switchMode(terminal.pane, 'auto_edit')).rejects.toThrow('A dialog is open');
    expect(terminal.events).toEqual([]);
  });

  it('interrupt a turn once, and never an idle input', async () => {
    const terminal = await openFakeTerminal();
    await terminal.draw(WORKING);
    terminal.onKey('Escape', IDLE);
    const interrupt = () =>
      terminal.pane.exclusive(() => interruptTurn(terminal.pane, () => undefined));
    const both = await Promise.allSettled([interrupt(), interrupt()]);
    expect(both.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    expect(terminal.keys()).toEqual(['Escape']);
  });
});

describe('a prompt', () => {
  const hasArrived =
    (terminal: { events: readonly { key?: string }[] }, count = 1) =>
    () =>
      terminal.events.filter(({ key }) => key === 'Enter').length >= count;

  it('is sent again with Enter until the hook proves it', async () => {
    const terminal = await openFakeTerminal();
    await terminal.draw(IDLE, 2);
    await deliverPrompt(terminal.pane, 'fix it! now', hasArrived(terminal));
    // Each swallowed Enter is followed by a character that shows that the CLI listens, and that is taken back.
    const sent = terminal.events.filter(({ key }) => key !== '.' && key !== 'BSpace');
    expect(sent).toEqual([
      { type: 'paste', text: 'fix it! now ', screen: 'idle' },
      { type: 'key', key: 'Enter', screen: 'idle', input: 'fix it! now' },
    ]);
    expect(terminal.keys().filter((key) => key === '.')).toHaveLength(2);
  });

  it('gets one Enter from a CLI that stands still, however long', async () => {
    const terminal = await openFakeTerminal();
    await terminal.draw(IDLE);
    terminal.before('if-shell', async () => terminal.stall(4_000));
    await deliverPrompt(terminal.pane, 'fix it! now', hasArrived(terminal));
    expect(terminal.keys().filter((key) => key === 'Enter')).toHaveLength(1);
    await expect.poll(() => terminal.keys().at(-1), { timeout: 20_000 }).toBe('BSpace');
  });

  it('leaves nothing in the input of a CLI that stood still, which no hook tells of a command', async () => {
    const terminal = await openFakeTerminal();
    await terminal.draw(IDLE);
    terminal.before('if-shell', async () => terminal.stall(2_500));
    await sendCommand(terminal.pane, '/model set flash');
    expect(terminal.keys()).toEqual(['Enter', '.', 'BSpace']);
    expect((await terminal.pane.look()).screen.input).toBe('');
  });

  it('waits for the input while the CLI draws its screen again', async () => {
    const terminal = await openFakeTerminal();
    await terminal.draw({ ...IDLE, hasInput: false });
    terminal.before('display-message', async () => {
      terminal.before('display-message', () => terminal.draw(IDLE));
    });
    await deliverPrompt(terminal.pane, 'fix it', hasArrived(terminal));
    expect(terminal.keys()).toEqual(['Enter']);
  });

  it('is not pasted if there is no input', async () => {
    const terminal = await openFakeTerminal();
    await terminal.draw({ ...IDLE, hasInput: false });
    const sent = deliverPrompt(terminal.pane, 'fix it', () => false);
    await expect(sent).rejects.toThrow('does not take input');
    expect(terminal.events).toEqual([]);
  });

  it('is not sent when a person types into it', async () => {
    const terminal = await openFakeTerminal();
    await terminal.draw(IDLE);
    terminal.before('paste-buffer', async () => {
      await terminal.run(['send-keys', '-t', terminal.pane.id, '-l', 'abc']);
    });
    await expect(deliverPrompt(terminal.pane, 'fix it', () => false)).rejects.toThrow(
      'a person may be typing',
    );
    expect(terminal.keys()).not.toContain('Enter');
  });

  it('is not pasted over the draft of a person, into a dialog, or as a command', async () => {
    const terminal = await openFakeTerminal();
    await terminal.draw(IDLE);
    await expect(deliverPrompt(terminal.pane, ' /quit', () => false)).rejects.toThrow('slash');
    await terminal.run(['send-keys', '-t', terminal.pane.id, '-l', 'abc']);
    await expect
      .poll(async () => (await terminal.pane.look()).screen.input, { timeout: 10_000 })
      .toBe('abc');
    await expect(deliverPrompt(terminal.pane, 'fix it', () => false)).rejects.toThrow('draft');
    await terminal.draw(dialogOf('echo one'));
    await expect(deliverPrompt(terminal.pane, 'fix it', () => false)).rejects.toThrow('dialog');
    expect(terminal.events.some(({ type }) => type === 'paste')).toBe(false);
  });

  it('that a dialog meets before Enter stays in the input: Enter would choose an option', async () => {
    const terminal = await openFakeTerminal();
    await terminal.draw(IDLE);
    terminal.before('if-shell', () => terminal.draw(dialogOf('echo one')));
    await expect(deliverPrompt(terminal.pane, 'fix it', () => false)).rejects.toThrow(
      'no longer holds',
    );
    expect(terminal.keys()).toEqual([]);
  });
});
