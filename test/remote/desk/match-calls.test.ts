import { describe, expect, it } from 'vitest';
import type { BeforeToolHook, NotificationHook } from '../../../src/api/hook-payload.js';
import { announces, signOf } from '../../../src/remote/desk/match-calls.js';
import { announcementOf, callOf } from './hooks.js';

describe('calls of hooks', () => {
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
      [
        announcementOf({ type: 'info', prompt: 'Fetch x' }),
        callOf('web_fetch', { url: 'x' }),
        true,
      ],
      [info, callOf('web_fetch', { prompt: 'read it', url: 'x' }), false],
      [announcementOf({ type: 'ask_user' }), callOf('ask_user', {}), true],
      [announcementOf({ type: 'mcp' }), callOf('mcp', {}), false],
    ];
    for (const [hook, call, isSame] of pairs) expect(announces(hook, call)).toBe(isSame);
  });

  it('are known by the name of their MCP server and tool', () => {
    const details = { type: 'mcp', serverName: 'my notes', toolName: 'add' };
    const call = callOf('mcp_my_notes_add', { text: 'dear' });
    expect(announces(announcementOf(details), call)).toBe(true);
    expect(announces(announcementOf({ ...details, toolName: 'drop' }), call)).toBe(false);
    const long = announcementOf({ ...details, toolName: 'x'.repeat(80) });
    const cut = `mcp_my_notes_${'x'.repeat(17)}...${'x'.repeat(30)}`;
    expect(announces(long, callOf(cut, {}))).toBe(true);
    expect(signOf(announcementOf(details)).text).toBe('"add" from server "my notes"');
  });

  it('have a sign in their dialog', () => {
    expect(signOf(announcementOf({ type: 'exec', command: 'ls\nrm' })).text).toBe('ls');
    expect(signOf(announcementOf({ type: 'edit', fileName: 'x/a.txt' })).text).toBe('a.txt');
    expect(signOf(announcementOf({ type: 'info', prompt: 'read it' })).text).toBe('read it');
  });
});
