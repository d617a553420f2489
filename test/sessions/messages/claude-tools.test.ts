import { describe, expect, it } from 'vitest';
import { toClaudeTool } from '../../../src/sessions/messages/claude-tools.js';

describe('a tool of the CLI', () => {
  it.each([
    ['read_file', { absolute_path: '/a.ts' }, 'Read', { file_path: '/a.ts' }],
    ['read_file', { file_path: 'a.ts' }, 'Read', { file_path: 'a.ts' }],
    [
      'read_file',
      { file_path: 'a', start_line: 10, end_line: 19 },
      'Read',
      { file_path: 'a', offset: 10, limit: 10 },
    ],
    ['read_file', { file_path: 'a', end_line: 5 }, 'Read', { file_path: 'a', limit: 5 }],
    [
      'read_file',
      { absolute_path: '/a', offset: 3, limit: 9 },
      'Read',
      { file_path: '/a', offset: 3, limit: 9 },
    ],
    [
      'write_file',
      { file_path: '/a', content: 'x', ai_proposed_content: 'y' },
      'Write',
      { file_path: '/a', content: 'x' },
    ],
    [
      'replace',
      { file_path: '/a', old_string: 'x', new_string: '', instruction: 'remove it' },
      'Edit',
      { file_path: '/a', old_string: 'x', new_string: '' },
    ],
    [
      'replace',
      { file_path: '/a', old_string: 'x', new_string: 'y', allow_multiple: true },
      'Edit',
      { file_path: '/a', old_string: 'x', new_string: 'y', replace_all: true },
    ],
    [
      'replace',
      { file_path: '/a', old_string: 'x', new_string: 'y', expected_replacements: 3 },
      'Edit',
      { file_path: '/a', old_string: 'x', new_string: 'y', replace_all: true },
    ],
    ['list_directory', { path: '/src' }, 'Glob', { pattern: '*', path: '/src' }],
    ['list_directory', { dir_path: 'src' }, 'Glob', { pattern: '*', path: 'src' }],
    ['glob', { pattern: '**/*.ts' }, 'Glob', { pattern: '**/*.ts' }],
    ['glob', { pattern: '*', dir_path: 'src' }, 'Glob', { pattern: '*', path: 'src' }],
    [
      'run_shell_command',
      { command: 'ls', description: 'List.' },
      'Bash',
      { command: 'ls', description: 'List.' },
    ],
    [
      'run_shell_command',
      { command: 'npm start', is_background: true },
      'Bash',
      { command: 'npm start', run_in_background: true },
    ],
    ['google_web_search', { query: 'x', more: 1 }, 'WebSearch', { query: 'x', more: 1 }],
    [
      'grep_search',
      { pattern: 'x', dir_path: 'src', include_pattern: '*.ts', names_only: true },
      'Grep',
      { pattern: 'x', path: 'src', glob: '*.ts', output_mode: 'files_with_matches' },
    ],
    [
      'grep_search',
      { pattern: 'x', total_max_matches: 5 },
      'Grep',
      { pattern: 'x', head_limit: 5 },
    ],
    [
      'search_file_content',
      { pattern: 'x', path: 'src', include: '*.ts' },
      'Grep',
      { pattern: 'x', path: 'src', glob: '*.ts' },
    ],
    [
      'web_fetch',
      { prompt: 'Summarise https://example.org/a?b=1, please.' },
      'WebFetch',
      { url: 'https://example.org/a?b=1', prompt: 'Summarise https://example.org/a?b=1, please.' },
    ],
    ['web_fetch', { prompt: 'Summarise it.' }, 'WebFetch', { prompt: 'Summarise it.' }],
    ['web_fetch', { url: 'https://example.org' }, 'WebFetch', { url: 'https://example.org' }],
    [
      'write_todos',
      { todos: [{ description: 'Test it', status: 'pending' }, 'odd'] },
      'TodoWrite',
      { todos: [{ content: 'Test it', status: 'pending' }, 'odd'] },
    ],
    ['write_todos', { todos: 'none' }, 'TodoWrite', { todos: 'none' }],
    [
      'invoke_agent',
      { agent_name: 'codebase_investigator', prompt: 'look' },
      'Task',
      { subagent_type: 'codebase_investigator', prompt: 'look' },
    ],
  ])('%s %j becomes a tool of Claude', (name, args, claudeName, input) => {
    expect(toClaudeTool(name, args)).toEqual({ name: claudeName, input });
  });

  it.each(['save_memory', 'mcp_server_tool', 'toString', '__proto__', ''])(
    'that Claude does not know stays unchanged: %s',
    (name) => {
      const args = { file_path: '/a', undefined: undefined };
      expect(toClaudeTool(name, args)).toEqual({ name, input: args });
    },
  );

  it.each([
    'read_file',
    'write_file',
    'replace',
    'list_directory',
    'glob',
    'grep_search',
    'run_shell_command',
    'google_web_search',
    'web_fetch',
    'write_todos',
    'invoke_agent',
  ])('may have been called without arguments: %s', (name) => {
    const { input } = toClaudeTool(name, {});
    expect(Object.values(input).filter((value) => value !== '*')).toEqual([]);
  });
});
