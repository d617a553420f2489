import { describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  awaitDialog,
  awaitGone,
  denyDialog,
  findAllow,
  planOption,
  pressOption,
  shows,
} from '../../../../src/remote/drivers/tmux/pane-dialogs.js';
import { skipSleeps } from '../../skip-sleeps.js';
import { ASKING, boxOf, createPane, dialogOf, READY, WORKING } from '../../tmux/scripted-pane.js';

const SIGN = { text: 'echo one', titles: 'asking' } as const;
const OPTIONS = ['Allow once', 'Allow for this session', 'No, suggest changes (esc)'];
const SHELL = { text: dialogOf(['? Shell  echo one', ''], OPTIONS), title: ASKING };
const OTHER = { text: dialogOf(['? Shell  rm x', ''], OPTIONS), title: ASKING };
const IDLE = { text: boxOf('  Type your message'), title: READY };
const open = (): AbortSignal => new AbortController().signal;

describe('the wait for a dialog', () => {
  it('ends with the dialog that shows one of the signs', async () => {
    skipSleeps();
    const { pane, flashes } = createPane(SHELL);
    flashes.push(IDLE, OTHER);
    const signs = [{ text: 'not there', titles: 'any' as const }, SIGN];
    expect((await awaitDialog(pane, signs, open()))?.text).toContain('echo one');
    expect(flashes).toEqual([]);
  });

  it('ends without one in time, with its signal, and with the pane', async () => {
    const slept = skipSleeps();
    const { pane, show } = createPane(OTHER);
    expect(await awaitDialog(pane, [SIGN], open(), 300)).toBeUndefined();
    expect(slept.reduce((sum, ms) => sum + ms, 0)).toBe(300);
    expect(await awaitDialog(pane, [SIGN], AbortSignal.abort())).toBeUndefined();
    show({ ...SHELL, isDead: true });
    expect(await awaitDialog(pane, [SIGN], open())).toBeUndefined();
    expect(slept).toHaveLength(10);
  });
});

describe('the wait for the end of a dialog', () => {
  it('is not misled by one look in the middle of a redraw', async () => {
    const looks: string[] = [];
    skipSleeps();
    const { pane, flashes, state } = createPane(IDLE);
    state.onLook = () => looks.push('look');
    flashes.push(SHELL, IDLE, SHELL, OTHER);
    expect(await awaitGone(pane, SIGN, open())).toBe(true);
    expect(looks).toHaveLength(5);
  });

  it('ends with the pane, and without success when its signal is aborted', async () => {
    const ending = new AbortController();
    skipSleeps(() => ending.abort());
    const { pane, show } = createPane(SHELL);
    expect(await awaitGone(pane, SIGN, ending.signal)).toBe(false);
    show({ ...SHELL, isDead: true });
    expect(await awaitGone(pane, SIGN, open())).toBe(true);
  });
});

describe('the answer to a dialog', () => {
  it('takes the digit back that a person at the desk has left in the input', async () => {
    skipSleeps();
    const { pane, keys, onKey } = createPane(SHELL);
    onKey('1', { text: boxOf('1'), title: WORKING });
    onKey('BSpace', IDLE);
    await pressOption(pane, SIGN, findAllow);
    expect(keys).toEqual(['1', 'BSpace']);
  });

  it('leaves any other text in the input alone', async () => {
    skipSleeps();
    const { pane, keys, onKey } = createPane(SHELL);
    onKey('1', { text: boxOf('1 draft'), title: WORKING });
    await pressOption(pane, SIGN, findAllow);
    expect(keys).toEqual(['1']);
  });

  it('fails if the dialog does not close', async () => {
    skipSleeps();
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(AbortSignal.abort());
    onTestFinished(() => timeout.mockRestore());
    const { pane, keys } = createPane(SHELL);
    await expect(pressOption(pane, SIGN, findAllow)).rejects.toThrow('did not close');
    await expect(denyDialog(pane, SIGN)).rejects.toThrow('did not close');
    expect(keys).toEqual(['1', 'Escape']);
  });

  it('is no key if the option is not there, the screen has changed, or the dialog is another one', async () => {
    skipSleeps();
    const { pane, keys, show, state } = createPane(SHELL);
    await expect(pressOption(pane, SIGN, () => undefined)).rejects.toThrow('no such option');
    state.pressed = false;
    await expect(denyDialog(pane, SIGN)).rejects.toThrow('no longer there');
    state.pressed = true;
    show(OTHER);
    await expect(denyDialog(pane, SIGN)).rejects.toThrow('no longer there');
    show(IDLE);
    await expect(denyDialog(pane, SIGN)).rejects.toThrow('no longer there');
    expect(keys).toEqual([]);
  });

  it('compares the option and the rows of the sign, however the terminal has wrapped it', async () => {
    const rows = ['? Shell  echo a-long-command', 'of-several-rows and more', ''];
    const { pane } = createPane({ text: dialogOf(rows, OPTIONS), title: 'no title' });
    const sign = { text: 'echo a-long-command of-several-rows', titles: 'asking' } as const;
    const plan = planOption(await pane.look(), sign, findAllow);
    expect(plan).toMatchObject({ key: '1', guard: { states: undefined } });
    expect(plan?.guard.rows[0]).toBe('● 1. Allow once');
    const titled = createPane(SHELL);
    expect(planOption(await titled.pane.look(), SIGN, findAllow)?.guard).toEqual({
      ...{ states: ['asking'], rows: ['● 1. Allow once', '? Shell  echo one'] },
    });
  });
});

it('an option that allows one call is known by its whole label', () => {
  const of = (label: string) => ({
    ...{ digit: '1', label, row: label, isSelected: false, isChecked: false },
  });
  expect(findAllow([of('Allow for this session'), of('Yes, allow once')])?.label).toBe(
    'Yes, allow once',
  );
  expect(findAllow([of('Allow once for all folders'), of('No')])).toBeUndefined();
});

it('a dialog about a call counts only while the title says that the CLI asks, or says nothing', async () => {
  const viewOf = (title: string) => createPane({ ...SHELL, title }).pane.look();
  const views = await Promise.all([ASKING, 'host', WORKING, READY].map(viewOf));
  expect(views.map((view) => shows(view, SIGN))).toEqual([true, true, false, false]);
  expect(views.map((view) => shows(view, { ...SIGN, titles: 'any' }))).toEqual(Array(4).fill(true));
});
