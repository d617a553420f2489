import type { ToolCall } from '../../agents/events/turn-fold.js';
import { canWriteUntracked, findGeminiTool } from '../../agents/gemini/gemini-tools.js';
import type { ManifestFile } from '../../api/manifest.js';
import type { ToolKind } from '../../api/tool.js';
import { UNKNOWN_WRITER } from '../../base/fs/unknown-writer.js';

/** Returns calls that may have changed files without reporting them. Interrupted calls count, failed ones do not. */
export function findUntrackedWriters(calls: readonly ToolCall[]): ToolCall[] {
  return calls.filter(({ name, kind, outcome }) => {
    const isReader = isForeign(name) && (kind === 'read' || kind === 'search');
    return outcome !== 'failed' && canWriteUntracked(name) && !isReader;
  });
}

/**
 * Returns the untracked writers after the call. Calls of sub-agents are not in the stream; for such a call all
 * untracked writers are returned.
 */
export function findUntrackedWritersAfter(
  calls: readonly ToolCall[],
  callId: string | undefined,
): ToolCall[] {
  return findUntrackedWriters(calls.slice(calls.findIndex(({ id }) => id === callId) + 1));
}

/**
 * Names the writers only if all are shell commands or writing tools of another agent. Otherwise the writer is unknown.
 */
export function attributeTo(writers: readonly ToolCall[]): Pick<ManifestFile, 'tools' | 'toolIds'> {
  const canBeNamed = writers.length > 0 && writers.every(isPlainWriter);
  if (!canBeNamed) return { tools: [UNKNOWN_WRITER], toolIds: [] };
  return nameWriters(writers);
}

/** Names the tools, each once, and the calls. */
export function nameWriters(writers: readonly ToolCall[]): Pick<ManifestFile, 'tools' | 'toolIds'> {
  const tools = [...new Set(writers.map(({ name }) => name))];
  return { tools, toolIds: writers.map(({ id }) => id) };
}

function isPlainWriter({ name, kind }: ToolCall): boolean {
  return name === 'run_shell_command' || (isForeign(name) && PLAIN_WRITERS.has(kind));
}

const PLAIN_WRITERS: ReadonlySet<ToolKind | undefined> = new Set([
  'execute',
  'edit',
  'delete',
  'move',
]);

/** True for a tool of another agent, whose name the Gemini CLI does not have. */
function isForeign(name: string): boolean {
  return findGeminiTool(name) === undefined;
}
