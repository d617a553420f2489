import type { ToolCategory, ToolKind } from '../../api/tool.js';
import type { DerivedToolMeaning, ToolContent } from '../../api/tool-event.js';
import { createDiff } from '../../base/fs/diff.js';

/** Contents up to this length get a diff: it is made while the agent may be sending events of other steps. */
const LONGEST_CONTENT = 256 * 1024;

interface SuccessfulCall {
  readonly toolName: string;
  readonly kind: ToolKind;
  readonly category: ToolCategory;
  /** File that the call names, as the agent wrote it. */
  readonly path: string | undefined;
  readonly output: string | undefined;
  readonly content?: readonly ToolContent[] | undefined;
}

/** Derives facts that the wire does not carry from a tool call that succeeded. Undefined if there are none. */
export function deriveMeaning(call: SuccessfulCall): DerivedToolMeaning | undefined {
  const { toolName: tool, kind, category, path, output } = call;
  const commandOutput = kind === 'execute' ? findOutput(call) : undefined;
  const mutation = category === 'file-write' && path !== undefined ? { tool, path } : undefined;
  const diff = isUnifiedDiff(output) ? output : diffOf(call);
  if (commandOutput === undefined && mutation === undefined && diff === undefined) return undefined;
  return { commandOutput, mutation, diff };
}

/** Returns the output of a command. Some agents run the command in a terminal of this package and send no text. */
function findOutput({ output, content = [] }: SuccessfulCall): string | undefined {
  const [terminal] = content.filter((block) => block.type === 'terminal');
  return output ?? terminal?.result?.output;
}

const UNIFIED_DIFF = /^--- .*\n\+\+\+ .*\n@@ -\d+(,\d+)? \+\d+(,\d+)? @@/m;

function isUnifiedDiff(output: string | undefined): output is string {
  return output !== undefined && UNIFIED_DIFF.test(output);
}

/** Makes a unified diff of the contents before and after, which an agent sends over ACP. */
function diffOf({ content = [] }: SuccessfulCall): string | undefined {
  const diffs = content.flatMap((block) => {
    if (block.type !== 'diff') return [];
    const { path, oldText, newText } = block;
    const isLong = Math.max(oldText?.length ?? 0, newText.length) > LONGEST_CONTENT;
    return isLong ? [] : (createDiff(path, oldText, newText) ?? []);
  });
  return diffs.length === 0 ? undefined : diffs.join('');
}
