import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { BeforeToolHook, NotificationHook } from '../../../src/api/hook-payload.js';
import {
  announces,
  describeHookCall,
  describeNotification,
  readQuestions,
  signOf,
  wouldAsk,
} from '../../../src/remote/desk/hook-calls.js';

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
  it('are held only if the CLI would ask', () => {
    expect(
      [
        ['write_file', 'default'],
        ['write_file', 'auto_edit'],
        ['run_shell_command', 'auto_edit'],
        ['run_shell_command', 'yolo'],
        ['read_file', 'default'],
      ].map(([tool = '', mode]) => wouldAsk(tool, mode)),
    ).toEqual([true, false, true, false, false]);
  });

  it('are shown with the change that they would make', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'calls-'));
    writeFileSync(join(folder, 'a.txt'), 'one\n');
    const input = { file_path: 'a.txt', old_string: 'one', new_string: '$& two' };
    const draft = await describeHookCall(callOf('replace', input, folder), true);
    expect(draft).toMatchObject({ title: 'replace a.txt', isDenyOnly: true, command: undefined });
    expect(draft.diff).toContain('-one\n+$& two');
    const shell = await describeHookCall(callOf('run_shell_command', { command: 'ls' }), false);
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
    expect(describeNotification(announcementOf({ type: 'exec', command: 'ls' }))).toMatchObject({
      toolName: 'run_shell_command',
      title: 'ls',
      input: { command: 'ls' },
    });
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
