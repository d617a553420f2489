import type { BeforeToolHook } from '../../api/hook-payload.js';
import { EDITING_TOOLS } from './match-calls.js';

/** Tools for which the CLI asks in its mode `default`. Calls of other tools are never held. */
const ASKING_TOOLS: ReadonlySet<string> = new Set([
  ...EDITING_TOOLS,
  'run_shell_command',
  'web_fetch',
]);

/** Programs that CLI 0.61 runs without a question in every mode, as long as they stay in the workspace. */
const FREE_PROGRAMS: ReadonlySet<string> = new Set(
  'cat cd cut echo expr false grep head id ls nl numfmt paste pwd rev seq stat tac tail tr true uname uniq wc which whoami'.split(
    ' ',
  ),
);

/**
 * True if the CLI would ask before this call in its present mode. A call that would run anyway must not be held, so in doubt, and in
 * a mode that is not known, the answer is false: the dialog then opens at the desk, and a device may answer it there.
 */
export function wouldAsk(
  { tool_name: toolName, tool_input: input }: Pick<BeforeToolHook, 'tool_name' | 'tool_input'>,
  mode: string | undefined,
): boolean {
  if (mode !== 'default' && mode !== 'auto_edit') return false;
  if (mode === 'auto_edit' && EDITING_TOOLS.has(toolName)) return false;
  const { command } = input;
  if (typeof command === 'string' && isFree(command)) return false;
  return ASKING_TOOLS.has(toolName);
}

/** True if every part of a command is one of the free programs. */
function isFree(command: string): boolean {
  if (/[()<>`$]/.test(command)) return false;
  const parts = command.split(/[;&|\n]+/).filter((part) => part.trim() !== '');
  return parts.every((part) => FREE_PROGRAMS.has(part.trim().split(/\s+/)[0] ?? ''));
}
