import type { ToolCall } from '../../agents/events/turn-fold.js';
import { canWriteUntracked, findGeminiTool } from '../../agents/gemini/gemini-tools.js';
import type { ManifestFile } from '../../api/manifest.js';
import type { ToolKind } from '../../api/tool.js';
import { UNKNOWN_WRITER } from '../../base/fs/unknown-writer.js';

/** The calls that may have changed any file without a word about it; one that was cut off may have, too. */
export function findUntrackedWriters(calls: readonly ToolCall[]): ToolCall[] {
  return calls.filter(({ name, kind, outcome }) => {
    const isReader = isForeign(name) && (kind === 'read' || kind === 'search');
    return outcome !== 'failed' && canWriteUntracked(name) && !isReader;
  });
}

/** Those that came after this call. The stream does not show the calls of sub-agents: after one, all may have. */
export function findUntrackedWritersAfter(
  calls: readonly ToolCall[],
  callId: string | undefined,
): ToolCall[] {
  return findUntrackedWriters(calls.slice(calls.findIndex(({ id }) => id === callId) + 1));
}

/** Calls are named only where all that may have done it are commands, or edits that another agent shows no diff of. */
export function attributeTo(writers: readonly ToolCall[]): Pick<ManifestFile, 'tools' | 'toolIds'> {
  const canBeNamed = writers.length > 0 && writers.every(isPlainWriter);
  if (!canBeNamed) return { tools: [UNKNOWN_WRITER], toolIds: [] };
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

/** A tool of another agent is what the agent calls it. */
function isForeign(name: string): boolean {
  return findGeminiTool(name) === undefined;
}
