import { describe, expect, it } from 'vitest';
import { findToolRuleProblem, parseToolRule, parseToolRules } from '../../src/config/tool-rule.js';

describe('a tool rule', () => {
  it.each([
    ['write_file', 'write_file'],
    ['  replace ', 'replace'],
    ['mcp_server_*', 'mcp_server_*'],
    ['server__tool.name-x', 'server__tool.name-x'],
  ])('"%s" names a tool', (rule, tool) => {
    expect(parseToolRule(rule)).toEqual({ tool, commandPrefix: undefined });
  });

  it.each([
    ['run_shell_command(npm test)', 'npm test'],
    ['run_shell_command( git status )', 'git status'],
    ['run_shell_command(git:*)', 'git'],
    ['run_shell_command(echo (a) b)', 'echo (a) b'],
    ['ShellTool(ls)', 'ls'],
  ])('"%s" keeps the first words of a shell command', (rule, commandPrefix) => {
    expect(parseToolRule(rule)).toEqual({ tool: 'run_shell_command', commandPrefix });
  });

  it.each(['run_shell_command', 'run_shell_command()', 'run_shell_command(*)', 'ShellTool'])(
    '"%s" applies to every shell command',
    (rule) => {
      expect(parseToolRule(rule)).toEqual({ tool: 'run_shell_command', commandPrefix: undefined });
    },
  );

  it.each(['', '  ', 'two words', 'write_file(', 'a,b', 'run_shell_command(ls) && rm', '(ls)'])(
    '"%s" is refused',
    (rule) => {
      expect(parseToolRule(rule)).toBeUndefined();
      expect(findToolRuleProblem(rule)).toMatch(/must be the name of a tool/);
    },
  );

  it('has words in parentheses for shell commands only', () => {
    expect(findToolRuleProblem('write_file(a.txt)')).toMatch(/only run_shell_command/);
    expect(findToolRuleProblem('run_shell_command(npm test)')).toBeUndefined();
    expect(findToolRuleProblem('write_file')).toBeUndefined();
  });
});

describe('the words of a shell command in a rule', () => {
  it.each(['run_shell_command(a\nb)', 'run_shell_command(a\u0000b)', 'run_shell_command(a\tb)'])(
    'must not contain control characters: %j',
    (rule) => {
      expect(findToolRuleProblem(rule)).toMatch(/control characters/);
    },
  );
});

describe('a list of tool rules', () => {
  it('is parsed in order', () => {
    expect(parseToolRules(['glob', 'run_shell_command(ls)'])).toEqual([
      { tool: 'glob', commandPrefix: undefined },
      { tool: 'run_shell_command', commandPrefix: 'ls' },
    ]);
  });
});
