import { describe, expect, it } from 'vitest';
import {
  canWriteUntracked,
  findGeminiTool,
  isMcpTool,
  toolCategory,
  toolKind,
} from '../../../src/agents/gemini/gemini-tools.js';

/** Name, category, ACP kind, and the most restrictive approval mode in which a headless CLI 0.61 offers the tool. */
const TOOLS = [
  ['run_shell_command', 'command', 'execute', 'yolo'],
  ['list_background_processes', 'command', 'read', 'yolo'],
  ['read_background_output', 'command', 'read', 'yolo'],
  ['read_file', 'file-read', 'read', 'default'],
  ['read_many_files', 'file-read', 'read', 'never'],
  ['list_directory', 'file-read', 'search', 'default'],
  ['glob', 'file-read', 'search', 'default'],
  ['grep_search', 'file-read', 'search', 'default'],
  ['search_file_content', 'file-read', 'search', 'never'],
  ['write_file', 'file-write', 'edit', 'auto_edit'],
  ['replace', 'file-write', 'edit', 'auto_edit'],
  ['google_web_search', 'search-fetch', 'browse', 'default'],
  ['web_fetch', 'search-fetch', 'fetch', 'auto_edit'],
  ['ask_user', 'ask-user', 'ask', 'never'],
  ['write_todos', 'planning', 'think', 'yolo'],
  ['update_topic', 'planning', 'think', 'default'],
  ['enter_plan_mode', 'planning', 'think', 'default'],
  ['exit_plan_mode', 'planning', 'think', 'plan'],
  ['complete_task', 'planning', 'think', 'never'],
  ['activate_skill', 'planning', 'other', 'yolo'],
  ['get_internal_docs', 'planning', 'read', 'never'],
  ['save_memory', 'planning', 'memory', 'never'],
  ['tracker_create_task', 'planning', 'think', 'default', /experimental\.taskTracker/],
  ['tracker_update_task', 'planning', 'think', 'default', /experimental\.taskTracker/],
  ['tracker_add_dependency', 'planning', 'think', 'default', /experimental\.taskTracker/],
  ['tracker_get_task', 'planning', 'read', 'default', /experimental\.taskTracker/],
  ['tracker_list_tasks', 'planning', 'search', 'default', /experimental\.taskTracker/],
  ['tracker_visualize', 'planning', 'read', 'default', /experimental\.taskTracker/],
  ['list_mcp_resources', 'mcp', 'search', 'default', /MCP server/],
  ['read_mcp_resource', 'mcp', 'read', 'default', /MCP server/],
  ['invoke_agent', 'agent', 'other', 'default'],
] as const;

describe('a built-in tool of the CLI', () => {
  it.each(TOOLS)('%s is a %s tool of kind %s, offered from %s on', (...facts) => {
    const [name, category, kind, offeredFrom, needs] = facts;
    expect(findGeminiTool(name)).toEqual({
      category,
      kind,
      offeredFrom,
      ...(needs && { needs: expect.stringMatching(needs) }),
    });
    expect(toolCategory(name)).toBe(category);
    expect(toolKind(name)).toBe(kind);
    expect(isMcpTool(name)).toBe(false);
  });

  it.each(['Write_File', 'write_file2', 'my_read_file', 'shell', '', 'constructor', 'toString'])(
    'is matched by its exact name: "%s" is none',
    (name) => {
      expect(findGeminiTool(name)).toBeUndefined();
      expect(toolCategory(name)).toBe('unknown');
      expect(toolKind(name)).toBe('other');
      expect(isMcpTool(name)).toBe(false);
    },
  );
});

describe('a tool of an MCP server', () => {
  it.each(['mcp_github_create_issue', 'github__create_issue', 'a__b'])(
    'is recognised by its name: %s',
    (name) => {
      expect(isMcpTool(name)).toBe(true);
      expect(toolCategory(name)).toBe('mcp');
      expect(toolKind(name)).toBe('mcp');
    },
  );

  it.each(['__b', 'a__', 'amcp_b', 'a_b'])('is not recognised in %s', (name) => {
    expect(isMcpTool(name)).toBe(false);
  });
});

describe('writing files that no event shows', () => {
  it.each(['run_shell_command', 'invoke_agent', 'mcp_fs_write', 'fs__write', 'some_new_tool'])(
    'is possible for %s',
    (name) => {
      expect(canWriteUntracked(name)).toBe(true);
    },
  );

  it.each([
    'write_file',
    'replace',
    'read_file',
    'read_background_output',
    'web_fetch',
    'ask_user',
    'tracker_create_task',
    'read_mcp_resource',
  ])('is not possible for %s', (name) => {
    expect(canWriteUntracked(name)).toBe(false);
  });
});
