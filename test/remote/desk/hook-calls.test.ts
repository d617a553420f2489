import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { BeforeToolHook, NotificationHook } from '../../../src/api/hook-payload.js';
import {
  describeHookCall,
  describeNotification,
  readQuestions,
} from '../../../src/remote/desk/describe-call.js';
import { announces, signOf } from '../../../src/remote/desk/match-calls.js';
import { isAsPredicted, predictEdit } from '../../../src/remote/desk/predict-edit.js';
import { wouldAsk } from '../../../src/remote/desk/would-ask.js';

const callOf = (tool_name: string, tool_input: object, cwd = '/app'): BeforeToolHook => ({
  ...{ session_id: 's', cwd, hook_event_name: 'BeforeTool', tool_name },
  tool_input: { ...tool_input },
});
const announcementOf = (details: object): NotificationHook => ({
  ...{ session_id: 's', cwd: '/app', hook_event_name: 'Notification' },
  notification_type: 'ToolPermission',
  details: { ...details },
});

describe('calls of hooks', () => {
  it.each([
    ['write_file', {}, 'default', true],
    ['write_file', {}, 'auto_edit', false],
    ['write_file', {}, undefined, false],
    ['run_shell_command', { command: 'rm x' }, 'auto_edit', true],
    ['run_shell_command', { command: 'rm x' }, 'yolo', false],
    ['run_shell_command', { command: 'ls -la | head -3' }, 'default', false],
    ['run_shell_command', { command: 'ls; rm x' }, 'default', true],
    ['run_shell_command', { command: 'echo $(rm x)' }, 'default', true],
    ['run_shell_command', { command: 'echo hi > x' }, 'default', true],
    ['read_file', {}, 'default', false],
  ])('are held only if the CLI would ask: %s %o in %s', (tool, input, mode, isAsked) => {
    expect(wouldAsk(callOf(tool, input), mode)).toBe(isAsked);
  });

  it('are allowed in advance only if the dialog shows the change that was predicted', () => {
    const folder = mkdtempSync(join(tmpdir(), 'calls-'));
    writeFileSync(join(folder, 'a.txt'), 'a\na\n');
    const input = { file_path: 'a.txt', old_string: 'a', new_string: 'b' };
    const once = predictEdit(callOf('replace', input, folder));
    const all = predictEdit(callOf('replace', { ...input, allow_multiple: true }, folder));
    expect([once?.after, all?.after]).toEqual(['b\na\n', 'b\nb\n']);
    const dialog = announcementOf({ type: 'edit', newContent: 'b\nb\n' });
    expect([isAsPredicted(dialog, once), isAsPredicted(dialog, all)]).toEqual([false, true]);
    expect(isAsPredicted(dialog, undefined)).toBe(false);
    expect(isAsPredicted(announcementOf({ type: 'exec' }), undefined)).toBe(true);
  });

  it('are shown with the change that they would make', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'calls-'));
    writeFileSync(join(folder, 'a.txt'), 'one\n');
    const input = { file_path: 'a.txt', old_string: 'one', new_string: '$& two' };
    const call = callOf('replace', input, folder);
    const draft = describeHookCall(call, predictEdit(call), true);
    expect(draft).toMatchObject({ title: 'replace a.txt', isDenyOnly: true, command: undefined });
    expect(draft.diff).toContain('-one\n+$& two');
    const shell = describeHookCall(
      callOf('run_shell_command', { command: 'ls' }),
      undefined,
      false,
    );
    expect(shell).toMatchObject({ title: 'ls', command: 'ls', diff: undefined });
  });

  it('belong to an announcement by their content alone', () => {
    const exec = announcementOf({ type: 'exec', command: 'ls' });
    const edit = announcementOf({ type: 'edit', filePath: '/app/a.txt', newContent: 'new text' });
    const info = announcementOf({ type: 'info', prompt: 'read it' });
    const write = { file_path: 'a.txt', content: 'new text' };
    const pairs: readonly (readonly [NotificationHook, BeforeToolHook, boolean])[] = [
      [exec, callOf('run_shell_command', { command: 'ls' }), true],
      [exec, callOf('run_shell_command', { command: 'ls -l' }), false],
      [edit, callOf('write_file', write), true],
      [edit, callOf('write_file', { ...write, content: 'other' }), false],
      [edit, callOf('write_file', { ...write, file_path: 'b.txt' }), false],
      [edit, callOf('replace', { file_path: 'a.txt', new_string: 'new' }), true],
      [edit, callOf('replace', { file_path: 'a.txt', new_string: 'old' }), false],
      [info, callOf('web_fetch', { prompt: 'read it' }), true],
      [announcementOf({ type: 'ask_user' }), callOf('ask_user', {}), true],
      [announcementOf({ type: 'mcp' }), callOf('mcp', {}), false],
    ];
    for (const [hook, call, isSame] of pairs) expect(announces(hook, call)).toBe(isSame);
  });

  it('have a sign in their dialog, and a description without a known call', () => {
    expect(signOf(announcementOf({ type: 'exec', command: 'ls\nrm' })).text).toBe('ls');
    expect(signOf(announcementOf({ type: 'edit', fileName: 'x/a.txt' })).text).toBe('a.txt');
    expect(signOf(announcementOf({ type: 'info', prompt: 'read it' })).text).toBe('read it');
    const exec = announcementOf({ type: 'exec', command: 'ls' });
    expect(describeNotification(exec, undefined, 'shown')).toMatchObject({
      toolName: 'run_shell_command',
      title: 'ls',
      input: { command: 'ls' },
      text: undefined,
    });
    const plan = announcementOf({ type: 'exit_plan_mode', title: 'Leave the plan mode' });
    expect(describeNotification(plan, undefined, 'the plan')).toMatchObject({
      toolName: '',
      title: 'Leave the plan mode',
      text: 'the plan',
    });
  });

  it('are known by the name of their MCP server and tool, and shown with all arguments', () => {
    const details = { type: 'mcp', serverName: 'my notes', toolName: 'add' };
    const call = callOf('mcp_my_notes_add', { text: 'dear' });
    expect(announces(announcementOf(details), call)).toBe(true);
    expect(announces(announcementOf({ ...details, toolName: 'drop' }), call)).toBe(false);
    const long = announcementOf({ ...details, toolName: 'x'.repeat(80) });
    expect(announces(long, callOf(`mcp_my_notes_${'x'.repeat(17)}...${'x'.repeat(30)}`, {}))).toBe(
      true,
    );
    expect(signOf(announcementOf(details)).text).toBe('"add" from server "my notes"');
    const hook = announcementOf(details);
    const known = describeNotification(hook, call, 'shown');
    expect(known).toMatchObject({ toolName: 'mcp_my_notes_add', input: { text: 'dear' } });
    expect(describeNotification(hook, undefined, 'shown')).toMatchObject({
      toolName: 'mcp_my_notes_add',
      input: {},
      text: 'shown',
    });
  });

  it('show no change of a file that is no regular file or too large, and the arguments then', () => {
    const folder = mkdtempSync(join(tmpdir(), 'calls-'));
    writeFileSync(join(folder, 'large.txt'), 'x'.repeat(3_000_000));
    for (const path of ['/dev/zero', '.', 'large.txt']) {
      const input = { file_path: path, content: 'new' };
      const call = callOf('write_file', input, folder);
      expect(predictEdit(call)?.diff).toBeUndefined();
      const draft = describeHookCall(call, predictEdit(call), false);
      expect(draft).toMatchObject({ diff: undefined, input });
    }
  });

  it('of the agent have questions', () => {
    const questions = [
      { question: 'Go?', type: 'yesno' },
      { question: 'Which?', type: 'choice', multiSelect: true, options: [{ label: 'Red' }] },
    ];
    expect(readQuestions(callOf('ask_user', { questions }))).toEqual([
      {
        id: '0',
        text: 'Go?',
        options: [
          { id: '1', label: 'Yes' },
          { id: '2', label: 'No' },
        ],
        isMultiple: false,
      },
      { id: '1', text: 'Which?', options: [{ id: '1', label: 'Red' }], isMultiple: true },
    ]);
    expect(readQuestions(callOf('ask_user', {}))).toEqual([]);
  });
});
