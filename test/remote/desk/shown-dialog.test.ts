import { describe, expect, it } from 'vitest';
import type { BeforeToolHook, NotificationHook } from '../../../src/api/hook-payload.js';
import type { RemoteDecision } from '../../../src/api/remote-request.js';
import { decideDialog, describeDialog } from '../../../src/remote/desk/shown-dialog.js';
import { skipSleeps } from '../skip-sleeps.js';
import { ASKING, boxOf, createPane, dialogOf, READY } from '../tmux/scripted-pane.js';

const base = { session_id: 's', cwd: '/app' };
const callOf = (tool_name: string, tool_input: object): BeforeToolHook => ({
  ...{ ...base, hook_event_name: 'BeforeTool', tool_name, tool_input: { ...tool_input } },
});
const hookOf = (details?: object): NotificationHook => ({
  ...{ ...base, hook_event_name: 'Notification', notification_type: 'ToolPermission' },
  details: details === undefined ? undefined : { ...details },
});

/** Shows a dialog on a pane. */
async function show(
  rows: readonly string[],
  options: readonly string[],
  { details, call }: { details?: object; call?: BeforeToolHook } = {},
) {
  const created = createPane({ text: dialogOf([...rows, ''], options), title: ASKING });
  created.onKey('Escape', { text: boxOf('  Type your message'), title: READY });
  for (const digit of ['1', '2', '3'])
    created.onKey(digit, { text: boxOf('  Type your message'), title: READY });
  const { dialog } = (await created.pane.look()).screen;
  if (dialog === undefined) throw new Error('There is no dialog on the screen');
  const sign = { text: rows[0] ?? '', titles: 'any' as const };
  const known = { hook: hookOf(details), call, choice: [], hasWarning: false };
  const shown = { pane: created.pane, dialog, sign, ...known };
  return { ...created, shown };
}

const OPTIONS = ['Allow once', 'Allow for this session', 'No, suggest changes (esc)'];
const QUESTIONS = { questions: [{ question: 'Which?', options: [{ label: 'Red' }] }] };

describe('a dialog for the person', () => {
  it('is the questions of the agent, if they are known', async () => {
    const call = callOf('ask_user', QUESTIONS);
    const { shown } = await show(['Which?'], ['Red', 'Enter a custom value'], { call });
    expect(describeDialog(shown)).toMatchObject({
      ...{ kind: 'question', toolName: 'ask_user', options: [], reasonWay: 'none' },
      questions: [{ id: '0', text: 'Which?', options: [{ id: '1', label: 'Red' }] }],
    });
    const empty = { ...shown, call: callOf('ask_user', {}) };
    expect(describeDialog(empty)).toMatchObject({ kind: 'dialog', title: 'Which?' });
  });

  it('is a call, if the announcement or an option says so', async () => {
    const details = { type: 'exec', command: 'rm x' };
    const { shown } = await show(['? Shell rm x'], OPTIONS, { details });
    const known = { ...shown, call: callOf('run_shell_command', { command: 'rm x' }) };
    expect(describeDialog(known)).toMatchObject({ kind: 'tool', command: 'rm x', text: undefined });
    const unnamed = { ...shown, hook: hookOf() };
    expect(describeDialog(unnamed)).toMatchObject({
      ...{ kind: 'tool', toolName: '', command: undefined, text: shown.dialog.text },
    });
  });

  it('is its text with its options otherwise', async () => {
    const details = { type: 'exit_plan_mode', title: 'Leave the plan mode' };
    const { shown } = await show(['Ready to code?'], ['Yes', 'No (esc)'], { details });
    expect(describeDialog(shown)).toMatchObject({
      ...{ kind: 'dialog', title: 'Leave the plan mode', toolName: '' },
      options: [{ label: 'Yes' }, { label: 'No (esc)' }, { id: 'escape' }],
    });
    expect(describeDialog({ ...shown, hook: hookOf({}) }).title).toBe('Ready to code?');
  });
});

describe('a decision about a dialog', () => {
  it.each<[RemoteDecision, readonly string[]]>([
    [{ type: 'allow', inputHash: '' }, ['1']],
    [{ type: 'allow-for-session', inputHash: '' }, ['1']],
    [{ type: 'deny' }, ['Escape']],
    [{ type: 'choose', option: '2' }, ['2']],
    [{ type: 'choose', option: 'escape' }, ['Escape']],
    [{ type: 'answer', answers: {} }, []],
  ])('presses its key: %o', async (decision, wanted) => {
    skipSleeps();
    const { shown, keys } = await show(['? Shell rm x'], OPTIONS);
    await decideDialog(shown, decision);
    expect(keys).toEqual(wanted);
  });

  it('answers the questions of the call', async () => {
    skipSleeps();
    const call = callOf('ask_user', QUESTIONS);
    const { shown, keys } = await show(['Which?'], ['Red', 'Enter a custom value'], { call });
    await decideDialog(shown, { type: 'answer', answers: { 0: '1' } });
    expect(keys).toEqual(['1']);
  });

  it('presses nothing on an option that is not there, or on another dialog', async () => {
    skipSleeps();
    const { shown, keys, show: draw } = await show(['? Shell rm x'], OPTIONS);
    await expect(decideDialog(shown, { type: 'choose', option: '9' })).rejects.toThrow('no such');
    draw({ text: dialogOf(['? Shell rm y', ''], OPTIONS), title: ASKING });
    for (const type of ['allow', 'deny'] as const)
      await expect(decideDialog(shown, { type, inputHash: '' })).rejects.toThrow('no longer');
    const choose = { type: 'choose', option: '1' } as const;
    await expect(decideDialog(shown, choose)).rejects.toThrow('no longer there');
    expect(keys).toEqual([]);
  });
});
