import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { BeforeToolHook, NotificationHook } from '../../../src/api/hook-payload.js';
import { describeHookCall, readQuestions } from '../../../src/remote/desk/describe-call.js';
import {
  announces,
  isSameCall,
  mcpToolName,
  signOf,
} from '../../../src/remote/desk/match-calls.js';
import { isAsPredicted, predictEdit } from '../../../src/remote/desk/predict-edit.js';
import { wouldAsk } from '../../../src/remote/desk/would-ask.js';

const callOf = (tool_name: string, tool_input: object, cwd = '/app'): BeforeToolHook => ({
  ...{ session_id: 's', cwd, hook_event_name: 'BeforeTool', tool_name },
  tool_input: { ...tool_input },
});
const hookOf = (details?: object): NotificationHook => ({
  ...{ session_id: 's', cwd: '/app', hook_event_name: 'Notification', notification_type: 'x' },
  details: details === undefined ? undefined : { ...details },
});

describe('announcements without the usual fields', () => {
  it('announce no call', () => {
    const edit = { type: 'edit', filePath: '/app/a.txt', newContent: 'x' };
    for (const [details, call] of [
      [undefined, callOf('write_file', {})],
      [{ type: 'exec' }, callOf('write_file', {})],
      [edit, callOf('read_file', { file_path: 'a.txt', content: 'x' })],
      [edit, callOf('write_file', { file_path: 1, content: 'x' })],
      [edit, callOf('replace', { file_path: 'a.txt', new_string: 1 })],
      [edit, callOf('replace', { file_path: 'a.txt' })],
      [{ type: 'info', prompt: 'x' }, callOf('read_file', { prompt: 'x' })],
    ] as const)
      expect(announces(hookOf(details), call)).toBe(false);
  });

  it('have an empty sign, or a short one of their kind', () => {
    for (const details of [
      undefined,
      {},
      { type: 'exec', command: 1 },
      { type: 'edit' },
      { type: 'info' },
    ])
      expect(signOf(hookOf(details)).text).toBe('');
    expect(signOf(hookOf({ type: 'exec', command: 'x'.repeat(90) })).text).toBe('x'.repeat(60));
    expect(signOf(hookOf({ type: 'edit', fileName: 'y'.repeat(90) })).text).toBe('y'.repeat(40));
    expect(signOf(hookOf({ type: 'exec', command: '' })).text).toBe('');
  });
});

describe('calls with odd arguments', () => {
  it('are the same only with the same name and content', () => {
    const after = { ...callOf('x', { a: [1, { b: 2 }] }), hook_event_name: 'AfterTool' as const };
    expect(isSameCall(callOf('x', { a: [1, { b: 2 }] }), after)).toBe(true);
    expect(isSameCall(callOf('y', { a: [1, { b: 2 }] }), after)).toBe(false);
    expect(isSameCall(callOf('x', { a: [1, { b: '2' }] }), after)).toBe(false);
  });

  it('are no shell commands of another tool, and have no title but their name', () => {
    expect(describeHookCall(callOf('x', { command: 'ls' }), undefined, false)).toMatchObject({
      ...{ title: 'ls', command: undefined },
    });
    const odd = callOf('run_shell_command', { command: ['ls'], file_path: 1 });
    expect(describeHookCall(odd, undefined, false)).toMatchObject({
      ...{ title: 'run_shell_command', command: undefined },
    });
  });

  it('have no prediction if they edit no file, or the file cannot be read', () => {
    const folder = mkdtempSync(join(tmpdir(), 'odd-calls-'));
    writeFileSync(join(folder, 'a.txt'), 'a');
    mkdirSync(join(folder, 'folder'));
    symlinkSync('loop', join(folder, 'loop'));
    const predict = (input: object) => predictEdit(callOf('replace', input, folder));
    const replaced = { old_string: 'a', new_string: 'b' };
    for (const input of [
      ...[{}, { file_path: 1 }, { file_path: 'a.txt' }, { file_path: 'a.txt', old_string: 'a' }],
      ...[
        { file_path: 'folder', content: 'x' },
        { file_path: 'loop', content: 'x' },
      ],
      { ...replaced, file_path: 'a.txt', new_string: 1 },
    ])
      expect(predict(input)).toBeUndefined();
    expect(predict({ file_path: 'missing.txt', content: 'new' })?.after).toBe('new');
    expect(isAsPredicted(hookOf(), undefined)).toBe(true);
  });

  it('of MCP servers have names without characters that the CLI replaces', () => {
    expect(mcpToolName({ serverName: 'a b/c', toolName: 'd$e' })).toBe('mcp_a_b_c_d_e');
    const long = mcpToolName({ serverName: 'x'.repeat(60), toolName: 'end' });
    expect([long.length, long.slice(-4)]).toEqual([63, '_end']);
    expect(mcpToolName({ serverName: 'x'.repeat(57), toolName: 'e' })).toHaveLength(63);
  });

  it('are held in doubt only where the CLI would ask', () => {
    const shell = (command: unknown) =>
      wouldAsk(callOf('run_shell_command', { command }), 'default');
    expect([shell(undefined), shell(1), shell(''), shell(' ; '), shell('ls;')]).toEqual([
      ...[true, true, false, false, false],
    ]);
    expect([shell('ls `id`'), shell('/bin/ls'), shell('ls && git push')]).toEqual(
      Array(3).fill(true),
    );
    expect(wouldAsk(callOf('write_file', {}), 'plan')).toBe(false);
  });

  it('of the agent ask what can be read of their questions', () => {
    const questions = [
      ...[null, 'text', ['x'], { type: 'yesno', options: [{ label: 'Sure' }, 'x', null] }],
      { question: 1, multiSelect: 'yes', options: 'none' },
    ];
    expect(readQuestions(callOf('ask_user', { questions }))).toEqual([
      { id: '0', text: '', options: [{ id: '1', label: 'Sure' }], isMultiple: false },
      { id: '1', text: '1', options: [], isMultiple: false },
    ]);
    expect(readQuestions(callOf('ask_user', { questions: {} }))).toEqual([]);
  });
});
