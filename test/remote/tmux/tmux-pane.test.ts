import { describe, expect, it } from 'vitest';
import { TmuxPane } from '../../../src/remote/tmux/tmux-pane.js';
import { boxOf, createPane } from './scripted-pane.js';

describe('TmuxPane', () => {
  it.each(['', '7', '%', '%7x', '%7; kill-server', ' %7', '%7\n'])('refuses the id %j', (id) => {
    expect(() => new TmuxPane(async () => '', id)).toThrow('not valid');
  });

  it('tells what the pane shows, and why it gets no key', async () => {
    const { pane, show } = createPane({ text: boxOf('my draft') });
    expect(await pane.look()).toMatchObject({
      ...{ state: 'ready', isDead: false, problem: undefined, screen: { input: 'my draft' } },
    });
    show({ text: '', title: 'host', isDead: true });
    expect(await pane.look()).toMatchObject({ state: undefined, isDead: true });
    show({ text: '', isSynchronized: true, isInputOff: true });
    expect((await pane.look()).problem).toContain('synchronize-panes');
    show({ text: '', isInputOff: true });
    expect((await pane.look()).problem).toContain('select-pane -d');
  });

  it('reads as many lines that have scrolled away as are asked for', async () => {
    const { pane, commands } = createPane({ text: '' });
    await pane.text(30);
    await pane.text();
    expect(commands).toEqual([
      ['capture-pane', '-p', '-S', '-30', '-t', '%1'],
      ['capture-pane', '-p', '-S', '-', '-t', '%1'],
    ]);
  });

  it('tells whether a key was pressed', async () => {
    const { pane, keys, state } = createPane({ text: '' });
    expect(await pane.press('Escape', { rows: [] })).toBe(true);
    state.pressed = false;
    expect(await pane.press('Enter', { rows: [] })).toBe(false);
    expect(keys).toEqual(['Escape']);
  });

  it('pastes a text through a buffer of its own, never as an argument', async () => {
    const { pane, commands, pasted } = createPane({ text: '' });
    await pane.paste('-x; kill-server');
    await pane.paste('again');
    expect(pasted).toEqual(['-x; kill-server ', 'again ']);
    const buffers = commands.map((args) => args[args.indexOf('-b') + 1]);
    expect(buffers[0]).toBe(buffers[1]);
    expect(new Set(buffers).size).toBe(2);
    expect(commands.flat().join(' ')).not.toContain('kill-server');
  });

  it('sends nothing while the CLI does not get the keys: a shell would run the lines of a text', async () => {
    const { pane, commands } = createPane({ text: boxOf('  Type your message') });
    let isInFront = false;
    pane.watchCli(() => isInFront);
    await expect(pane.paste('one\ntouch two\n')).rejects.toThrow('not in the foreground');
    await expect(pane.press('Enter', { rows: [] })).rejects.toThrow('not in the foreground');
    expect(commands).toEqual([]);
    isInFront = true;
    expect(await pane.press('Enter', { rows: [] })).toBe(true);
  });

  it('runs one action at a time, and goes on after one that failed', async () => {
    const { pane } = createPane({ text: '' });
    const events: string[] = [];
    const act = (name: string) => async (): Promise<string> => {
      events.push(`${name} begins`);
      await Promise.resolve();
      events.push(`${name} ends`);
      if (name === 'b') throw new Error('b failed');
      return name;
    };
    const results = ['a', 'b', 'c'].map((name) => pane.exclusive(act(name)));
    const settled = pane.settled().then(() => events.push('settled'));
    expect(await Promise.allSettled(results)).toMatchObject([
      { value: 'a' },
      { reason: { message: 'b failed' } },
      { value: 'c' },
    ]);
    await settled;
    expect(events).toEqual([
      ...['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends', 'settled'],
    ]);
  });

  it.each([
    ['4242', 4242],
    ['', undefined],
    ['0', undefined],
    ['1', undefined],
    ['x', undefined],
  ])('reads the process of the pane from %j', async (pid, wanted) => {
    const { pane, state } = createPane({ text: '' });
    state.pid = pid;
    expect(await pane.pid()).toBe(wanted);
  });

  it('writes the id of the session into an option of the pane', async () => {
    const { pane, commands } = createPane({ text: '' });
    await pane.mark('@gemini_cli_session', 'cli');
    expect(commands).toEqual([['set-option', '-p', '-t', '%1', '@gemini_cli_session', 'cli']]);
  });
});
