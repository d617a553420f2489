import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { BrokerAnswer, RequestDraft } from '../../../../src/remote/broker/approval-broker.js';
import type { SessionSink } from '../../../../src/remote/drivers/session-driver.js';
import {
  findUnknownDialog,
  type UnknownDialog,
} from '../../../../src/remote/drivers/tmux/unknown-dialog.js';
import { parseScreen } from '../../../../src/remote/tmux/parse-screen.js';
import type { PaneView, TmuxPane } from '../../../../src/remote/tmux/tmux-pane.js';
import { dialogOf, type FakeScreen, IDLE, openFakeTerminal } from './fake-terminal.js';

/** Follows dialogs, and gives the answers of a person. */
function follow(pane: TmuxPane) {
  const asked: Omit<RequestDraft, 'sessionId'>[] = [];
  const withdrawn: string[] = [];
  let answer: (given: BrokerAnswer) => void = () => undefined;
  const sink: SessionSink = {
    ...{ sessionId: 's', add: () => undefined, update: () => undefined, preview: () => undefined },
    ...{ usage: () => undefined, spend: () => undefined },
    ask: (draft, signal) => {
      asked.push(draft);
      return new Promise((resolve) => {
        answer = resolve;
        signal.addEventListener('abort', () => withdrawn.push(draft.title));
      });
    },
  };
  let known: UnknownDialog | undefined;
  return {
    asked,
    withdrawn,
    choose: (option: string) =>
      answer({ outcome: 'decided', decision: { type: 'choose', option }, by: 'phone' }),
    look: async (view?: PaneView) => {
      known = findUnknownDialog(known, view ?? (await pane.look()), { sink, pane });
    },
  };
}

/** A dialog about a new content of the same file. */
const writeOf = (content: string): FakeScreen => {
  const { rows, ...screen } = dialogOf('Writing to a.txt');
  const [top = '', title = '', ...rest] = rows;
  return { ...screen, rows: [top, title, `│ 1 ${content}`.padEnd(59).concat('│'), ...rest] };
};

describe('a dialog that no hook has announced', () => {
  it('gets the key of its option', async () => {
    const terminal = await openFakeTerminal();
    const { look, asked, choose } = follow(terminal.pane);
    await terminal.draw(writeOf('one'));
    while (asked.length === 0) await look();
    terminal.onKey('1', IDLE);
    choose('1');
    await expect.poll(() => terminal.keys(), { timeout: 20_000 }).toEqual(['1']);
  });

  it('is another one if only its content differs: the request is withdrawn, and a late answer presses nothing', async () => {
    const terminal = await openFakeTerminal();
    const { look, asked, choose, withdrawn } = follow(terminal.pane);
    await terminal.draw(writeOf('one'));
    while (asked.length === 0) await look();
    await terminal.draw(IDLE);
    await terminal.draw(writeOf('two'));
    choose('1');
    await look();
    expect(withdrawn.length).toBe(1);
    while (asked.length === 1) await look();
    expect(asked.map(({ text }) => text?.includes('two'))).toEqual([false, true]);
    // The wait for the dialog that was shown is over by then.
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    expect(terminal.keys()).toEqual([]);
  });

  it.each(['trust-dialog', 'auth-dialog'])('cannot be answered by a device: %s', async (name) => {
    const file = new URL(
      `../../../fixtures/interactive/panes/startup/${name}.txt`,
      import.meta.url,
    );
    const screen = parseScreen(readFileSync(file, 'utf8'));
    const terminal = await openFakeTerminal();
    const { look, asked } = follow(terminal.pane);
    const view: PaneView = { screen, state: 'ready', isDead: false, problem: undefined };
    expect(screen.dialog?.options.length).toBeGreaterThan(1);
    while (asked.length === 0) await look(view);
    expect(asked[0]).toMatchObject({ options: [], isDenyOnly: true });
    expect(asked[0]?.text).toContain('1. ');
  });

  it('about a login cannot be answered by a device in a narrow terminal that breaks its words', async () => {
    const terminal = await openFakeTerminal();
    const { look, asked } = follow(terminal.pane);
    const rows = [
      'How would you lik',
      'e to authenticate',
      '● 1. Sign in wit…',
      '  2. Use Gemini …',
    ];
    const edge = '─'.repeat(19);
    const lines = [`╭${edge}╮`, ...rows.map((row) => `│ ${row.padEnd(17)} │`), `╰${edge}╯`];
    const screen = parseScreen(lines.join('\n'));
    const view: PaneView = { screen, state: 'ready', isDead: false, problem: undefined };
    while (asked.length === 0) await look(view);
    expect(asked[0]).toMatchObject({ options: [], isDenyOnly: true });
  });

  it('offers one call, and not what the CLI would allow beyond it', async () => {
    const terminal = await openFakeTerminal();
    const { look, asked } = follow(terminal.pane);
    await terminal.draw(writeOf('one'));
    while (asked.length === 0) await look();
    expect(asked[0]?.options.map(({ label }) => label)).toEqual([
      'Allow once',
      'No, suggest changes (esc)',
      'Close the dialog',
    ]);
  });
});
