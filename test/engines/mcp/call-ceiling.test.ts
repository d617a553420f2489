import { describe, expect, it } from 'vitest';
import { CallCeiling } from '../../../src/engines/mcp/call-ceiling.js';

const RULES = ['write_file', 'run_shell_command(npm test)', 'Bash(git status:*)'];

describe('CallCeiling', () => {
  it('lets steps edit without a shell by default', () => {
    const ceiling = new CallCeiling(undefined, []);
    expect([ceiling.mayEdit, ceiling.shell]).toEqual([true, 'none']);
    expect(ceiling.editOptions(false)).toEqual({ approvalMode: 'auto_edit', allowedTools: [] });
    expect(() => ceiling.editOptions(true)).toThrow(/does not let steps run shell/);
  });

  it('gives the rules of the shell to a step that asks for them', () => {
    const ceiling = new CallCeiling('auto_edit', RULES);
    expect(ceiling.shell).toBe('some');
    expect(ceiling.editOptions(false).allowedTools).toEqual(['write_file']);
    expect(ceiling.editOptions(true)).toEqual({ approvalMode: 'auto_edit', allowedTools: RULES });
  });

  it('never gives yolo to a step that does not ask for a shell', () => {
    const ceiling = new CallCeiling('yolo', []);
    expect(ceiling.shell).toBe('all');
    expect(ceiling.editOptions(false).approvalMode).toBe('auto_edit');
    expect(ceiling.editOptions(true).approvalMode).toBe('yolo');
    expect(new CallCeiling('auto_edit', ['run_shell_command']).shell).toBe('all');
  });

  it('knows servers that may only read', () => {
    expect(new CallCeiling('plan', []).mayEdit).toBe(false);
    expect(new CallCeiling('default', []).mayEdit).toBe(false);
  });

  it('finds modes and tools of a plan that are beyond it', () => {
    const ceiling = new CallCeiling('auto_edit', RULES);
    const keys = (config: object) => ceiling.findProblems({ ...config }).map(({ key }) => key);
    expect(keys({ approvalMode: 'plan', allowedTools: ['write_file'] })).toEqual([]);
    expect(keys({ approvalMode: 'yolo' })).toEqual(['approvalMode']);
    expect(keys({ approvalMode: 'nonsense' })).toEqual(['approvalMode']);
    expect(keys({ allowedTools: ['run_shell_command'] })).toEqual(['allowedTools']);
    expect(new CallCeiling('yolo', []).findProblems({ allowedTools: ['x'] })).toEqual([]);
  });

  it.each([
    ['npm test', true],
    ['npm test -- --watch', true],
    ['npm', false],
    ['npm testing', false],
    ['rm -rf .', false],
    ['npm test; rm -rf .', false],
  ])('compares the words of a command with the rules: %s', (command, isAllowed) => {
    const ceiling = new CallCeiling('auto_edit', RULES);
    expect(ceiling.findCommandProblems(command, true).length).toBe(isAllowed ? 0 : 1);
    expect(ceiling.findCommandProblems([{ command: 'rm' }, command], true)).toHaveLength(1);
    expect(ceiling.findCommandProblems(command, false)).toHaveLength(1);
    expect(ceiling.findCommandProblems(undefined, false)).toEqual([]);
  });
});
