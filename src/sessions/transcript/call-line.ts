import type { SessionToolCall } from '../../api/session.js';
import type {
  UnifiedMessage,
  UnifiedToolResult,
  UnifiedToolUse,
} from '../../api/unified-message.js';
import { isObject } from '../../base/json/is-object.js';
import { cleanLine } from '../../base/text/clean-text.js';

/** Facts of a tool call, to be printed on one line. */
export interface CallLine {
  readonly name: string;
  /** File, command or pattern of the call. */
  readonly subject: string;
  readonly outcome: 'done' | 'failed' | 'open';
  /** Number of lines that the call added to a file and removed from it. */
  readonly lines: { readonly added: number; readonly removed: number } | undefined;
  /** Unified diff of a file change. */
  readonly diff: string | undefined;
  /** Error message of a failed call. */
  readonly reason: string | undefined;
}

const SUBJECTS = [
  'file_path',
  'command',
  'pattern',
  'query',
  'url',
  'subagent_type',
  'path',
  'title',
  'name',
];

export function callLines(message: UnifiedMessage): CallLine[] {
  const uses = message.content.filter((block) => block.type === 'tool_use');
  const results = new Map(
    message.content.flatMap((block) =>
      block.type === 'tool_result' ? [[block.tool_use_id, block] as const] : [],
    ),
  );
  const calls = new Map((message._original.toolCalls ?? []).map((call) => [call.id, call]));
  return uses.map((use) => toLine(use, results.get(use.id), calls.get(use.id)));
}

function toLine(
  use: UnifiedToolUse,
  result: UnifiedToolResult | undefined,
  call: SessionToolCall | undefined,
): CallLine {
  const isFailed = result?.is_error === true;
  const display = isObject(call?.resultDisplay) ? call.resultDisplay : {};
  const diff = display['fileDiff'];
  return {
    name: use.name,
    subject: subjectOf(use),
    outcome: result === undefined ? 'open' : isFailed ? 'failed' : 'done',
    lines: linesOf(display['diffStat']),
    diff: typeof diff === 'string' ? diff : undefined,
    reason: isFailed && typeof result.content === 'string' ? cleanLine(result.content) : undefined,
  };
}

function subjectOf({ input }: UnifiedToolUse): string {
  const found = SUBJECTS.map((name) => input[name]).find((value) => typeof value === 'string');
  if (found !== undefined) return cleanLine(String(found));
  return Object.keys(input).length === 0 ? '' : cleanLine(JSON.stringify(input));
}

/** Returns the changed lines. Changes of the user to the model's proposal count too. */
function linesOf(stat: unknown): CallLine['lines'] {
  if (!isObject(stat)) return undefined;
  const sum = (...names: string[]): number =>
    names.reduce((total, name) => total + (Number(stat[name]) || 0), 0);
  return {
    added: sum('model_added_lines', 'user_added_lines'),
    removed: sum('model_removed_lines', 'user_removed_lines'),
  };
}
