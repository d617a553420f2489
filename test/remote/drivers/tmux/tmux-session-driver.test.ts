import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { SessionFacts } from '../../../../src/remote/drivers/session-driver.js';
import { UNKNOWN_SCREEN } from '../../../../src/remote/drivers/tmux/screen-trust.js';
import { TmuxSessionDriver } from '../../../../src/remote/drivers/tmux/tmux-session-driver.js';
import { skipSleeps } from '../../skip-sleeps.js';
import {
  boxOf,
  createPane,
  dialogOf,
  READY,
  type Shown,
  WORKING,
} from '../../tmux/scripted-pane.js';

const MODE_LINES = {
  default: ' Shift+Tab to accept edits',
  auto_edit: ' auto-accept edits Shift+Tab to plan',
  plan: ' plan Shift+Tab to manual',
};
const screenOf = (input: string, mode: keyof typeof MODE_LINES = 'default'): string =>
  ['─'.repeat(40), MODE_LINES[mode], boxOf(input)].join('\n');
const IDLE: Shown = { text: screenOf('  Type your message'), title: READY };
const BUSY: Shown = {
  text: ['▄'.repeat(40), ' > fix it', '▀'.repeat(40), '✦ I fix', '', IDLE.text].join('\n'),
  title: WORKING,
};

/** Drives a pane whose screens a test gives. */
function drive(first: Shown, isStarting = false) {
  skipSleeps();
  const scripted = createPane(first);
  let facts: Partial<SessionFacts> = {};
  const previews = new Map<string, string>();
  const notices: string[] = [];
  const onGone = vi.fn();
  const onEnded = vi.fn();
  const drafts: string[] = [];
  const driver = new TmuxSessionDriver({
    sink: {
      ...{ sessionId: 's', usage: () => {}, spend: () => {} },
      add: (content) => void (content.type === 'notice' && notices.push(content.message)),
      update: (more) => {
        facts = { ...facts, ...more };
      },
      preview: (kind, text) => void previews.set(kind, text),
      ask: (draft, signal) => {
        drafts.push(draft.title);
        return new Promise((resolve) =>
          signal.addEventListener('abort', () => resolve({ outcome: 'desk' })),
        );
      },
    },
    ...{ pane: scripted.pane, modes: ['default', 'auto_edit', 'plan'], isStarting },
    ...{ isLogged: () => false, isAnswering: () => false, releaseHooks: () => {} },
    ...{ onGone, onEnded, cli: () => undefined },
  });
  onTestFinished(() => driver.release());
  /** Waits until the facts of the session are as wanted. */
  const becomes = (wanted: Partial<SessionFacts>) =>
    vi.waitFor(() => expect(facts).toMatchObject(wanted), { timeout: 10_000, interval: 1 });
  const looks = async (count: number): Promise<void> => {
    const at = scripted.commands.length;
    await vi.waitUntil(() => scripted.commands.length >= at + count, { interval: 1 });
  };
  return {
    ...scripted,
    driver,
    becomes,
    looks,
    previews,
    notices,
    onGone,
    onEnded,
    drafts,
    facts: () => facts,
  };
}

describe('a session in a pane', () => {
  it('is ready, works and is ready again as its title and screen say, with the text that is being written', async () => {
    const { becomes, show, previews } = drive(IDLE);
    await becomes({
      state: 'ready',
      mode: 'default',
      capabilities: expect.objectContaining({ prompt: true, takeOver: true }),
    });
    show(BUSY);
    await becomes({ state: 'working' });
    await vi.waitUntil(() => previews.get('text') === 'I fix');
    show({ text: screenOf('  Type your message', 'plan'), title: READY });
    await becomes({ state: 'ready', mode: 'plan' });
    await vi.waitUntil(() => previews.get('text') === '');
  });

  it('that was started a moment ago is ready when its first hook has come', async () => {
    const { becomes, looks, driver, facts } = drive(IDLE, true);
    await looks(5);
    expect(facts().state).toBe('starting');
    driver.onHook();
    await becomes({ state: 'ready' });
  });

  it('can only be denied while no rule finds anything on its screen, and is led again with an input box', async () => {
    const { becomes, show, driver } = drive(IDLE);
    await becomes({ state: 'ready' });
    show({ text: 'a new layout', title: READY });
    const DENY = { deny: true, allow: false, prompt: false, interrupt: false, mode: false };
    await becomes({ capabilities: expect.objectContaining(DENY), notes: [UNKNOWN_SCREEN] });
    expect(driver.canPress).toBe(false);
    show(IDLE);
    await becomes({
      capabilities: expect.objectContaining({ prompt: true, allow: true }),
      notes: [],
    });
    driver.missDialog();
    await becomes({ notes: [UNKNOWN_SCREEN] });
  });

  it('of a CLI that was not tested has a note', async () => {
    const { becomes } = drive({ ...IDLE, text: ` ▝▜▄     Gemini CLI v0.99.0\n\n${IDLE.text}` });
    await becomes({ state: 'ready', notes: [expect.stringContaining('were not tested')] });
  });

  it('shows a dialog that no hook has announced, and withdraws it when it is gone', async () => {
    const { show, drafts, becomes } = drive(IDLE);
    await becomes({ state: 'ready' });
    show({ text: dialogOf(['Usage limit reached', ''], ['Keep trying', 'Stop']), title: WORKING });
    await vi.waitUntil(() => drafts.length === 1);
    expect(drafts).toEqual(['Usage limit reached']);
  });

  it('is over when its pane is gone, and not while tmux gives no answer', async () => {
    const { state, looks, onGone, becomes } = drive(IDLE);
    await becomes({ state: 'ready' });
    state.onLook = () => {
      throw new Error('tmux display-message failed: timed out');
    };
    await looks(3);
    expect(onGone).not.toHaveBeenCalled();
    state.onLook = () => {
      throw new Error("tmux display-message failed: can't find pane: %1");
    };
    await vi.waitUntil(() => onGone.mock.calls.length > 0);
    expect(onGone).toHaveBeenCalledOnce();
  });
});

describe('a prompt to a pane', () => {
  const promptOf = (text: string) => {
    const events: string[] = [];
    const tell = (event: string) => (): void => void events.push(event);
    return { events, prompt: { text, accepted: tell('accepted'), answered: tell('answered') } };
  };

  it('is accepted when the hook reports it, and over when the CLI is ready again', async () => {
    const { driver, becomes, keys, onKey, pasted, show } = drive(IDLE);
    await becomes({ state: 'ready' });
    onKey('paste', { text: screenOf('fix it!'), title: READY });
    onKey('Enter', BUSY);
    const { prompt, events } = promptOf('fix it!');
    const sent = driver.prompt(prompt);
    await vi.waitUntil(() => keys.includes('Enter'));
    expect(events).toEqual([]);
    driver.onPrompt('fix it!');
    await vi.waitUntil(() => events.length === 1);
    await becomes({ state: 'working' });
    show(IDLE);
    await sent;
    expect([events, pasted, keys]).toEqual([['accepted'], ['fix it! '], ['Enter']]);
  });

  it('that no hook reports is not delivered, and accepted when the hook comes late', async () => {
    const { driver, becomes, onKey } = drive(IDLE);
    await becomes({ state: 'ready' });
    onKey('paste', { text: screenOf('fix it'), title: READY });
    onKey('Enter', IDLE);
    const { prompt, events } = promptOf('fix it');
    await expect(driver.prompt(prompt)).rejects.toThrow('has not reported a prompt');
    driver.onPrompt('fix it');
    await vi.waitUntil(() => events.length > 0);
    driver.onTurnEnd();
    await vi.waitUntil(() => events.length === 2);
    expect(events).toEqual(['accepted', 'answered']);
  });
});

describe('steering a pane', () => {
  it('changes the mode step by step, the model by its command, and never in a dialog', async () => {
    const { driver, becomes, keys, pasted, onKey, show } = drive(IDLE);
    await becomes({ state: 'ready', mode: 'default' });
    onKey('BTab', { text: screenOf('  Type your message', 'auto_edit'), title: READY });
    await driver.setMode('auto_edit');
    expect([keys, pasted]).toEqual([['BTab'], []]);
    onKey('paste', { text: screenOf('/model set gemini-x'), title: READY });
    onKey('Enter', { text: `Model set to gemini-x\n${IDLE.text}`, title: READY });
    await driver.setModel('gemini-x');
    await becomes({ model: 'gemini-x' });
    expect(pasted).toEqual(['/model set gemini-x ']);
    keys.length = 0;
    show({ text: dialogOf(['Trust?', ''], ['Yes', 'No (esc)']), title: READY });
    for (const act of [
      () => driver.setMode('plan'),
      () => driver.setModel('y'),
      () => driver.interrupt(),
    ])
      await expect(act()).rejects.toThrow('A dialog is open at the desk');
    show(IDLE);
    await expect(driver.interrupt()).rejects.toThrow('not at work');
    expect(keys).toEqual([]);
  });

  it('does not go through the mode auto_edit on its way to plan while a turn runs', async () => {
    const { driver, becomes, keys } = drive(BUSY);
    await becomes({ state: 'working', mode: 'default' });
    await expect(driver.setMode('plan')).rejects.toThrow('at work');
    expect(keys).toEqual([]);
  });

  it('ends the CLI by /quit, and never by Ctrl-C', async () => {
    const { driver, becomes, keys, pasted, onKey, onGone, onEnded } = drive(IDLE);
    await becomes({ state: 'ready' });
    onKey('paste', { text: screenOf('/quit'), title: READY });
    onKey('Enter', { text: '', isDead: true });
    await driver.end();
    expect([pasted, keys]).toEqual([['/quit '], ['Enter']]);
    expect(onGone.mock.calls.length).toBeLessThanOrEqual(1);
    expect(onEnded).toHaveBeenCalledOnce();
  });
});
