import type { ToolCategory, ToolKind } from '../../api/tool.js';

interface ToolFacts {
  readonly category: ToolCategory;
  readonly kind: ToolKind;
  /** Most restrictive approval mode in which a headless CLI 0.61 offers the tool; `never` if it has no such tool. */
  readonly offeredFrom: 'default' | 'auto_edit' | 'plan' | 'yolo' | 'never';
  /** Precondition without which no mode offers the tool. */
  readonly needs?: string;
}

const TRACKER = {
  category: 'planning',
  offeredFrom: 'default',
  needs: '`experimental.taskTracker: true` in settings.json',
} as const;
const RESOURCES = {
  category: 'mcp',
  offeredFrom: 'default',
  needs: 'an MCP server that has resources',
} as const;

/** Built-in tools of the CLI by exact name. Older names stay listed: recordings and old CLIs still use them. */
const GEMINI_TOOLS: Readonly<Record<string, ToolFacts>> = {
  run_shell_command: { category: 'command', kind: 'execute', offeredFrom: 'yolo' },
  list_background_processes: { category: 'command', kind: 'read', offeredFrom: 'yolo' },
  read_background_output: { category: 'command', kind: 'read', offeredFrom: 'yolo' },

  read_file: { category: 'file-read', kind: 'read', offeredFrom: 'default' },
  read_many_files: { category: 'file-read', kind: 'read', offeredFrom: 'never' },
  list_directory: { category: 'file-read', kind: 'search', offeredFrom: 'default' },
  glob: { category: 'file-read', kind: 'search', offeredFrom: 'default' },
  grep_search: { category: 'file-read', kind: 'search', offeredFrom: 'default' },
  search_file_content: { category: 'file-read', kind: 'search', offeredFrom: 'never' },

  write_file: { category: 'file-write', kind: 'edit', offeredFrom: 'auto_edit' },
  replace: { category: 'file-write', kind: 'edit', offeredFrom: 'auto_edit' },

  google_web_search: { category: 'search-fetch', kind: 'browse', offeredFrom: 'default' },
  web_fetch: { category: 'search-fetch', kind: 'fetch', offeredFrom: 'auto_edit' },

  ask_user: { category: 'ask-user', kind: 'ask', offeredFrom: 'never' },

  write_todos: { category: 'planning', kind: 'think', offeredFrom: 'yolo' },
  update_topic: { category: 'planning', kind: 'think', offeredFrom: 'default' },
  enter_plan_mode: { category: 'planning', kind: 'think', offeredFrom: 'default' },
  exit_plan_mode: { category: 'planning', kind: 'think', offeredFrom: 'plan' },
  complete_task: { category: 'planning', kind: 'think', offeredFrom: 'never' },
  activate_skill: { category: 'planning', kind: 'other', offeredFrom: 'yolo' },
  get_internal_docs: { category: 'planning', kind: 'read', offeredFrom: 'never' },
  save_memory: { category: 'planning', kind: 'memory', offeredFrom: 'never' },

  tracker_create_task: { ...TRACKER, kind: 'think' },
  tracker_update_task: { ...TRACKER, kind: 'think' },
  tracker_add_dependency: { ...TRACKER, kind: 'think' },
  tracker_get_task: { ...TRACKER, kind: 'read' },
  tracker_list_tasks: { ...TRACKER, kind: 'search' },
  tracker_visualize: { ...TRACKER, kind: 'read' },

  list_mcp_resources: { ...RESOURCES, kind: 'search' },
  read_mcp_resource: { ...RESOURCES, kind: 'read' },

  invoke_agent: { category: 'agent', kind: 'other', offeredFrom: 'default' },
};

/** Names of MCP tools: `mcp_server_tool`, in older versions `server__tool`. */
const MCP_NAME = /^mcp_|.__./;

/** Returns the facts of a built-in tool; undefined for other tools. */
export function findGeminiTool(name: string): ToolFacts | undefined {
  return Object.hasOwn(GEMINI_TOOLS, name) ? GEMINI_TOOLS[name] : undefined;
}

export function isMcpTool(name: string): boolean {
  return findGeminiTool(name) === undefined && MCP_NAME.test(name);
}

export function toolCategory(name: string): ToolCategory {
  return findGeminiTool(name)?.category ?? (isMcpTool(name) ? 'mcp' : 'unknown');
}

export function toolKind(name: string): ToolKind {
  return findGeminiTool(name)?.kind ?? (isMcpTool(name) ? 'mcp' : 'other');
}

/** True if the tool can change files without an event that names them. */
export function canWriteUntracked(name: string): boolean {
  const facts = findGeminiTool(name);
  return facts === undefined || name === 'run_shell_command' || facts.category === 'agent';
}
