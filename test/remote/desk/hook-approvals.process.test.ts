import { describe, expect, it } from 'vitest';
import type { BeforeToolHook, NotificationHook } from '../../../src/api/hook-payload.js';
import type { RemoteEntryContent } from '../../../src/api/remote-entry.js';
import { HookApprovals } from '../../../src/remote/desk/hook-approvals.js';
import type { SessionSink } from '../../../src/remote/drivers/session-driver.js';
import type { TmuxPane } from '../../../src/remote/tmux/tmux-pane.js';
import { BLANK, dialogOf, IDLE, openFakeTerminal } from '../drivers/tmux/fake-terminal.js';

const base = { session_id: 's', cwd: '/' };
const callOf = (command: string): BeforeToolHook => ({
  ...base,
  hook_event_name: 'BeforeTool',
  tool_name: 'run_shell_command',
  tool_input: { command },
});
const announcementOf = (command: string): NotificationHook => ({
  ...base,
  hook_event_name: 'Notification',
  notification_type: 'ToolPermission',
  details: { type: 'exec', command },
});
const open = new AbortController().signal;

/** Approvals of a person who is away and allows everything. */
function createApprovals(pane: TmuxPane) {
  const added: RemoteEntryContent[] = [];
  let unseen = 0;
  const sink: SessionSink = {
    sessionId: 's',
    add: (content) => void added.push(content),
    update: () => undefined,
    preview: () => undefined,
    usage: () => undefined,
    spend: () => undefined,
    ask: async () => ({
      outcome: 'decided',
      decision: { type: 'allow', inputHash: '' },
      by: 'phone',
    }),
  };
  const approvals = new HookApprovals({
    ...{ sink, pane, signal: open, mode: () => 'default' },
    canPress: () => true,
    isAway: () => true,
    promptNext: () => undefined,
    onUnseen: () => {
      unseen++;
    },
  });
  return { approvals, added, unseen: () => unseen };
}

describe('announced dialogs', () => {
  it('open one after another, although both are announced at the same moment', async () => {
    const terminal = await openFakeTerminal();
    await terminal.draw(IDLE);
    const { approvals } = createApprovals(terminal.pane);
    await approvals.beforeTool(callOf('echo one'), open);
    await approvals.beforeTool(callOf('echo two'), open);
    terminal.onKey('1', IDLE);
    // The CLI draws a dialog when the hook that announces it has returned.
    const show = async (command: string): Promise<void> => {
      await approvals.notification(announcementOf(command), open);
      await terminal.draw(dialogOf(command));
    };
    await Promise.all([show('echo one'), show('echo two')]);
    await expect.poll(() => terminal.events.length, { timeout: 20_000 }).toBe(2);
    expect(terminal.events.map(({ key, screen }) => [key, screen])).toEqual([
      ['1', 'echo one'],
      ['1', 'echo two'],
    ]);
  });

  it('that no rule finds on the screen end the control, and the person is told', async () => {
    const terminal = await openFakeTerminal();
    await terminal.draw(BLANK);
    const { approvals, added, unseen } = createApprovals(terminal.pane);
    await approvals.beforeTool(callOf('echo one'), open);
    await approvals.notification(announcementOf('echo one'), open);
    await expect.poll(() => added.length, { timeout: 30_000 }).toBe(1);
    expect(added[0]).toMatchObject({ message: expect.stringContaining('Answer it at the desk') });
    expect([unseen(), terminal.events]).toEqual([1, []]);
  });

  it('get no key from an allowance of an earlier turn', async () => {
    const terminal = await openFakeTerminal();
    await terminal.draw(dialogOf('echo one'));
    const { approvals } = createApprovals(terminal.pane);
    await approvals.beforeTool(callOf('echo two'), open);
    approvals.release();
    await approvals.notification(announcementOf('echo two'), AbortSignal.abort());
    approvals.release();
    await expect.poll(() => approvals.isAnswering, { timeout: 20_000 }).toBe(false);
    expect(terminal.events).toEqual([]);
  });
});
