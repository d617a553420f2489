import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  describeHookCall,
  describeNotification,
  readQuestions,
} from '../../../src/remote/desk/describe-call.js';
import { predictEdit } from '../../../src/remote/desk/predict-edit.js';
import { announcementOf, callOf, execOf, shellOf } from './hooks.js';

describe('calls of hooks', () => {
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

describe('an announced dialog', () => {
  const describeIt = (details: object, call?: ReturnType<typeof callOf>, hasWarning = false) =>
    describeNotification(announcementOf(details), call, 'shown', hasWarning);
  const mcp = { type: 'mcp', serverName: 'my notes', toolName: 'add' };
  const note = callOf('mcp_my_notes_add', { text: 'dear' });

  it('of a named call is that call, and a rule may answer it', () => {
    expect(describeNotification(execOf('ls'), shellOf('ls'), 'shown', false)).toMatchObject({
      ...{ toolName: 'run_shell_command', title: 'ls', input: { command: 'ls' } },
      ...{ text: undefined, isOnceOnly: false },
    });
    // The screen has what the announcement of an MCP tool leaves out.
    expect(describeIt(mcp, note)).toMatchObject({
      ...{ toolName: 'mcp_my_notes_add', input: { text: 'dear' }, text: 'shown' },
      isOnceOnly: false,
    });
  });

  it('without a known call is the text of the screen, and no rule answers it', () => {
    expect(describeIt({ type: 'exec', command: 'ls' })).toMatchObject({
      ...{ toolName: 'run_shell_command', title: 'ls', input: { command: 'ls' } },
      ...{ text: 'shown', isOnceOnly: true },
    });
    expect(describeIt({ type: 'exit_plan_mode', title: 'Leave the plan mode' })).toMatchObject({
      ...{ toolName: '', title: 'Leave the plan mode', text: 'shown', isOnceOnly: true },
    });
    expect(describeIt({ type: 'edit', filePath: '/a', fileDiff: '+a' })).toMatchObject({
      ...{ toolName: 'write_file', diff: '+a', text: undefined, isOnceOnly: true },
    });
    // A rule for an MCP tool allows its calls with any arguments, and the announcement names the tool.
    expect(describeIt(mcp)).toMatchObject({
      ...{ toolName: 'mcp_my_notes_add', input: {}, text: 'shown', isOnceOnly: false },
    });
  });

  it('of a call that it does not name is shown with its text, and no rule answers it', () => {
    const todos = callOf('write_todos', { todos: [] });
    const details = { type: 'info', title: 'Confirm: WriteTodos', prompt: 'Set 2 todo(s)' };
    expect(describeIt(details, todos)).toMatchObject({
      ...{ toolName: 'write_todos', text: 'shown', isOnceOnly: true },
    });
  });

  it('with a warning is shown with its text, and no rule answers it', () => {
    const edit = { type: 'edit', filePath: '/app/package.json', newContent: '{}', fileDiff: '+{}' };
    const write = callOf('write_file', { file_path: 'package.json', content: '{}' });
    for (const call of [write, undefined])
      expect(describeIt(edit, call, true)).toMatchObject({
        ...{ diff: '+{}', text: 'shown', isOnceOnly: true },
      });
    expect(describeIt(mcp, note, true)).toMatchObject({ text: 'shown', isOnceOnly: true });
  });
});
