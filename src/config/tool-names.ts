import { nearestName } from '../base/text/nearest-name.js';
import { parseToolRule, renderToolRule } from './tool-rule.js';

/** Built-in tools of the Gemini CLI. A test compares the list with the table of the wing `agents`. */
export const GEMINI_TOOL_NAMES: readonly string[] = [
  'run_shell_command',
  'list_background_processes',
  'read_background_output',
  'read_file',
  'read_many_files',
  'list_directory',
  'glob',
  'grep_search',
  'search_file_content',
  'write_file',
  'replace',
  'google_web_search',
  'web_fetch',
  'ask_user',
  'write_todos',
  'update_topic',
  'enter_plan_mode',
  'exit_plan_mode',
  'complete_task',
  'activate_skill',
  'get_internal_docs',
  'save_memory',
  'tracker_create_task',
  'tracker_update_task',
  'tracker_add_dependency',
  'tracker_get_task',
  'tracker_list_tasks',
  'tracker_visualize',
  'list_mcp_resources',
  'read_mcp_resource',
  'invoke_agent',
];

/** Kinds of tools, which a rule may name in place of a tool. */
const KINDS = 'read edit delete move search execute think fetch browse ask memory mcp other'.split(
  ' ',
);

/** Names that Claude Code and the classes of the CLI have for the tools. `Edit` of Claude covers every tool that edits. */
export const OTHER_TOOL_NAMES: Readonly<Record<string, readonly string[]>> = {
  Read: ['read_file', 'read_many_files'],
  Write: ['write_file'],
  Edit: ['replace', 'write_file'],
  MultiEdit: ['replace', 'write_file'],
  LS: ['list_directory'],
  Glob: ['glob'],
  Grep: ['grep_search'],
  WebFetch: ['web_fetch'],
  WebSearch: ['google_web_search'],
  TodoWrite: ['write_todos'],
  Task: ['invoke_agent'],
  Agent: ['invoke_agent'],
  Skill: ['activate_skill'],
  AskUserQuestion: ['ask_user'],
  EnterPlanMode: ['enter_plan_mode'],
  ExitPlanMode: ['exit_plan_mode'],
  BashOutput: ['read_background_output'],
  ReadFileTool: ['read_file'],
  ReadManyFilesTool: ['read_many_files'],
  WriteFileTool: ['write_file'],
  EditTool: ['replace'],
  LSTool: ['list_directory'],
  GlobTool: ['glob'],
  GrepTool: ['grep_search'],
  WebFetchTool: ['web_fetch'],
  WebSearchTool: ['google_web_search'],
  MemoryTool: ['save_memory'],
};

/** Names of MCP tools in Claude Code: `mcp__server__tool`, and `mcp__server` for all tools of a server. */
const CLAUDE_MCP = /^mcp__([^_](?:.*?[^_])?)(?:__(.+))?$/;
/** Names that are not built in and cannot be checked: MCP tools (`mcp_server_tool`, `server__tool`), tools of a project, patterns. */
const UNCHECKED = /^mcp_|.__.|^discovered_tool_|\*/;

/** Returns a rule with the names of the Gemini CLI. A name of Claude Code may stand for several tools. */
export function toGeminiRules(rule: string): readonly string[] {
  const parsed = parseToolRule(rule);
  if (parsed === undefined) return [rule];
  const { tool } = parsed;
  const names = Object.hasOwn(OTHER_TOOL_NAMES, tool) ? OTHER_TOOL_NAMES[tool] : undefined;
  if (names !== undefined) return names;
  const [, server, name] = CLAUDE_MCP.exec(tool) ?? [];
  if (server !== undefined) return [`mcp_${server}_${name ?? '*'}`];
  return [renderToolRule(parsed)];
}

export interface ToolNameProblem {
  /** True if the name is most likely a misspelled one. Otherwise it may be a tool of an agent or an extension. */
  readonly isLikelyTypo: boolean;
  readonly problem: string;
}

/** Finds a rule with a name that the Gemini CLI does not have: such a rule would have no effect. */
export function findToolNameProblem(rule: string): ToolNameProblem | undefined {
  const [name = ''] = toGeminiRules(rule).map((given) => parseToolRule(given)?.tool);
  if (UNCHECKED.test(name) || GEMINI_TOOL_NAMES.includes(name) || KINDS.includes(name)) {
    return undefined;
  }
  const nearest = nearestName(name, [...GEMINI_TOOL_NAMES, ...Object.keys(OTHER_TOOL_NAMES)]);
  if (nearest === undefined) {
    return { isLikelyTypo: false, problem: 'is not a built-in tool of the Gemini CLI' };
  }
  const meant = OTHER_TOOL_NAMES[nearest]?.[0] ?? nearest;
  const problem = `is not a tool of the Gemini CLI. Did you mean "${meant}"? (a tool of an extension: write "${name}*")`;
  return { isLikelyTypo: true, problem };
}
