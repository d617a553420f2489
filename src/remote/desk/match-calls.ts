import { basename, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { AfterToolHook, BeforeToolHook, NotificationHook } from '../../api/hook-payload.js';

/** Tools that change one file. */
export const EDITING_TOOLS: ReadonlySet<string> = new Set(['write_file', 'replace']);
const LONGEST_TOOL_NAME = 63;
const ENDS_OF_TOOL_NAME = 30;

/** True if two hooks are about calls with the same content. The CLI gives no id to a call. */
export function isSameCall(a: BeforeToolHook, b: BeforeToolHook | AfterToolHook): boolean {
  return a.tool_name === b.tool_name && isDeepStrictEqual(a.tool_input, b.tool_input);
}

/** True if a notification announces the dialog of this call. The CLI gives neither of them an id. */
export function announces(
  { details = {} }: NotificationHook,
  { tool_name: toolName, tool_input: input, cwd }: BeforeToolHook | AfterToolHook,
): boolean {
  switch (details['type']) {
    case 'exec':
      return toolName === 'run_shell_command' && details['command'] === input['command'];
    case 'edit': {
      const { file_path: path, content, new_string: replacement } = input;
      if (!EDITING_TOOLS.has(toolName) || typeof path !== 'string') return false;
      if (resolve(cwd, path) !== details['filePath']) return false;
      const after = details['newContent'];
      if (toolName === 'write_file') return content === after;
      return typeof replacement === 'string' && String(after).includes(replacement);
    }
    case 'info': {
      const { url, prompt } = input;
      const announced = typeof url === 'string' && url !== '' ? `Fetch ${url}` : prompt;
      return toolName === 'web_fetch' && details['prompt'] === announced;
    }
    case 'mcp':
      return toolName === mcpToolName(details);
    case 'ask_user':
      return toolName === 'ask_user';
    default:
      return false;
  }
}

/** Returns the name under which the CLI calls the tool of an MCP server: in hooks, other characters are replaced, and long names are cut. */
export function mcpToolName({ serverName, toolName }: Readonly<Record<string, unknown>>): string {
  const name = `mcp_${String(serverName)}_${String(toolName)}`.replace(/[^\w\-.:]/g, '_');
  return name.length <= LONGEST_TOOL_NAME
    ? name
    : `${name.slice(0, ENDS_OF_TOOL_NAME)}...${name.slice(-ENDS_OF_TOOL_NAME)}`;
}

/** Returns a text that the dialog of a notification shows. Empty for dialogs of a kind that is not known. */
export function signOf({ details = {} }: NotificationHook): { readonly text: string } {
  const { type, command, fileName, prompt } = details;
  if (type === 'exec' && typeof command === 'string')
    return { text: command.split('\n')[0]?.slice(0, 60) ?? '' };
  if (type === 'edit' && typeof fileName === 'string')
    return { text: basename(fileName).slice(0, 40) };
  if (type === 'info' && typeof prompt === 'string') return { text: prompt.slice(0, 40) };
  if (type === 'mcp')
    return {
      text: `"${String(details['toolName'])}" from server "${String(details['serverName'])}"`,
    };
  return { text: '' };
}
